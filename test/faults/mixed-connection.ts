import { Agent, request } from 'node:http';

const protocolVersion = '2026-07-28';

/** Sends the calls of one client over connections that it keeps open. Each throws if the response is not 2xx. */
export interface Connection {
  /** Returns the body. `body` is JSON, unless it is bytes. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Returns the parsed body. */
  rest(method: string, path: string, body?: unknown): Promise<{ id: string; version: number }>;
  /** Sends a message to /mcp. Throws also if the tool fails. */
  mcp(method: string, params?: { name?: string; arguments?: object }): Promise<void>;
  /** Calls so far. */
  readonly calls: number;
  close(): void;
}

export function openConnection(base: string, key: string): Connection {
  const agent = new Agent({ keepAlive: true });
  let calls = 0;
  const send: Connection['send'] = async (method, path, body, headers = {}) => {
    const { status, text } = await exchange(agent, `${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    if (status > 299) throw new Error(`${method} ${path} returned ${status} ${text}`);
    calls++;
    return text;
  };
  return {
    send,
    rest: async (method, path, body) =>
      JSON.parse(await send(method, path, body)) as { id: string; version: number },
    async mcp(method, params = {}) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': protocolVersion,
        'io.modelcontextprotocol/clientInfo': { name: 'mixed-load', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
      const text = await send('POST', '/mcp', message, {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': protocolVersion,
        'mcp-method': method,
        ...(params.name !== undefined && { 'mcp-name': params.name }),
      });
      const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
      if (!result || result.isError) throw new Error(`${method} ${params.name ?? ''} returned ${text}`);
    },
    get calls() {
      return calls;
    },
    close: () => agent.destroy(),
  };
}

function exchange(
  agent: Agent,
  url: string,
  { method, headers, body = '' }: { method: string; headers: Record<string, string>; body?: string | Buffer },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
