// The limit of the MCP rows: JSON-RPC on node:http without any SDK.
import { auditedTransaction, type Caller, callerOf } from './database.ts';
import { createFlow, findFlowWithConfiguration, type NewFlow } from './flows.ts';
import { send, serve, textOf } from './server.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly name: string; readonly arguments: unknown };
}

const tools: Readonly<Record<string, (caller: Caller, input: unknown, body: string) => unknown>> = {
  get_flow: ({ projectId }, input) =>
    findFlowWithConfiguration(projectId, (input as { readonly flowId: string }).flowId),
  async create_flow(caller, input, body) {
    const audited = auditedTransaction(caller, 'create_flow', body);
    const { flow, versionId } = await createFlow(audited, caller.projectId, input as NewFlow);
    const { id, name, type, description } = flow ?? {};
    return { id, name, type, description, versionId };
  },
};

serve(async (request, response) => {
  const caller = await callerOf(request.headers.authorization);
  if (caller === undefined) return send(response, 401, { error: 'unauthorized' });
  const body = await textOf(request);
  const { id, method, params } = JSON.parse(body) as Call;
  const tool = method === 'tools/call' && tools[params.name];
  if (!tool) return send(response, 404, { error: 'not found' });
  const record = await tool(caller, params.arguments, body);
  const content = [{ type: 'text', text: JSON.stringify(record) }];
  send(response, 200, { jsonrpc: '2.0', id, result: { content, structuredContent: record } });
});
