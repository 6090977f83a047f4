import { request } from 'node:http';
import { expect } from 'vitest';

/** A request to /mcp. */
export interface Sent {
  readonly method?: string;
  readonly query?: string;
  /** Merged over the default headers. An empty value removes a header. */
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Returns a function that sends requests with exactly these headers, which MCP clients do not allow. */
export function sender(base: string, key: string): (sent: Sent) => Promise<Reply> {
  const { hostname, port } = new URL(base);
  return ({ method = 'POST', query = '', headers = {}, body }) => {
    const usual = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    };
    const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '');
    const options = { hostname, port, method, path: `/mcp${query}`, headers: all.flat(), agent: false };
    return new Promise((resolve, reject) => {
      const sent = request(options, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      });
      sent.on('error', reject).end(body);
    });
  };
}

/** Returns a JSON-RPC request. */
export const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Returns the JSON-RPC message of a response, which is JSON or an event stream. */
export function rpc({ text }: Reply) {
  const line = text.split('\n').find((one) => one.startsWith('data: '));
  return JSON.parse(line ? line.slice('data: '.length) : text);
}

/** Asserts an error from before the server reads JSON-RPC. Its body is that of every other endpoint. */
export function expectRefused({ status, headers, text }: Reply, wanted: number, code: string): void {
  expect({ status, type: headers['content-type'] }).toStrictEqual({
    status: wanted,
    type: 'application/json; charset=utf-8',
  });
  expect(JSON.parse(text).error).toMatchObject({ code, requestId: headers['x-request-id'] });
}
