import { httpRow } from '../http-row.ts';
import { mcpRequest } from '../mcp-request.ts';

/** Returns the content of a tool's result without the SDK's envelope. */
function resultOf(body: unknown) {
  const { result } = body as { result: { content: unknown; structuredContent: unknown; isError?: boolean } };
  return [result.content, result.structuredContent, result.isError];
}

export const mcpGetFlow = httpRow({
  name: 'mcp-get-flow',
  path: 'MCP tools/call get_flow over HTTP, all tools registered, 32 connections',
  limit: 'raw JSON-RPC over node:http, the flow and its configuration by pg.Pool',
  baseline: 'json-rpc.ts',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  reach: 0.2,
  floor: 0.1,
  request: ({ flowId, key }) => mcpRequest(key, 'get_flow', { flowId }),
  compare: resultOf,
  sameLength: true,
});
