import type { Sent } from './raw-message.ts';

const protocolVersion = '2026-07-28';

/** A request of a client of 2026-07-28, which describes itself with each message. */
export function modernMessage(
  method: string,
  params: Record<string, unknown>,
  capabilities: object = {},
): Pick<Sent, 'headers' | 'body'> {
  const { name, taskId } = params;
  const named = name ?? taskId;
  return {
    headers: {
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': protocolVersion,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  };
}
