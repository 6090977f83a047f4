import { httpRow } from '../http-row.ts';

const protocolVersion = '2026-07-28';

/** Returns the content of a tool's result without the SDK's envelope. */
function resultOf(body: unknown) {
  const { result } = body as { result: { content: unknown; structuredContent: unknown; isError?: boolean } };
  return [result.content, result.structuredContent, result.isError];
}

export const mcpGetFlow = httpRow({
  name: 'mcp-get-flow',
  path: 'MCP tools/call get_flow over HTTP, all tools registered, 32 connections',
  limit: 'raw JSON-RPC over node:http, the same read by pg.Pool',
  baseline: 'json-rpc.ts',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  reach: 0.2,
  floor: 0.1,
  request: ({ flowId, key }) => ({
    method: 'POST',
    path: '/mcp',
    // The headers of the SDK's client.
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': 'tools/call',
      'mcp-name': 'get_flow',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'get_flow',
        arguments: { flowId },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': protocolVersion,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  }),
  compare: resultOf,
  sameLength: true,
});
