/** A JSON-RPC message as received. */
export interface McpMessage {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { content: { type: string; text?: string }[]; structuredContent?: unknown; isError?: true };
  error?: { code: number; message: string };
}

/** Sends a `tools/call` over HTTP without an MCP client. Returns the messages of the response, in order. */
export async function mcpMessages(
  base: string,
  key: string,
  params: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<McpMessage[]> {
  const reply = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(signal && { signal }),
  });
  const text = await reply.text();
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
