import { mcpRequest } from '../mcp-request.ts';
import { lasting, newFlow } from '../new-flow.ts';
import { writeRow } from './write-row.ts';

/** Returns the flow of a tool's result, which stands in it twice, without its ids. */
function flowOf(body: unknown) {
  const { result } = body as { result: { content: { text: string }[]; structuredContent: object } };
  const flows = [...result.content.map(({ text }) => JSON.parse(text) as object), result.structuredContent];
  return flows.map((flow) => lasting({ ...flow, versionId: undefined }));
}

export const mcpCreateFlow = writeRow({
  name: 'mcp-create-flow',
  path: 'MCP tools/call create_flow over HTTP, all tools registered, 32 connections',
  statements: 'raw JSON-RPC, BEGIN, status, 2 inserts, audit row, COMMIT',
  baseline: 'json-rpc.ts',
  connections: 32,
  request: ({ projectId, key }) => mcpRequest(key, 'create_flow', { projectId, ...newFlow }),
  compare: flowOf,
  sameLength: true,
});
