// The limit of the MCP row: JSON-RPC on node:http without any SDK.
import { findFlow, projectOf } from './database.ts';
import { send, serve, textOf } from './server.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly name: string; readonly arguments: { readonly flowId: string } };
}

serve(async (request, response) => {
  const projectId = await projectOf(request.headers.authorization);
  if (projectId === undefined) return send(response, 401, { error: 'unauthorized' });
  const { id, method, params } = JSON.parse(await textOf(request)) as Call;
  if (method !== 'tools/call' || params.name !== 'get_flow')
    return send(response, 404, { error: 'not found' });
  const flow = await findFlow(projectId, params.arguments.flowId);
  const content = [{ type: 'text', text: JSON.stringify(flow) }];
  send(response, 200, { jsonrpc: '2.0', id, result: { content, structuredContent: flow } });
});
