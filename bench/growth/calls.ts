import http from 'node:http';
import { text } from 'node:stream/consumers';

/** A call of Parley's REST API. */
export interface Call {
  readonly method: 'GET' | 'POST';
  /** Starts with a slash. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
}

/** One connection, which sends calls one after another with a key. */
export interface Connection {
  /** Returns the body, and the milliseconds until its last byte. Throws unless the status is 2xx. */
  send(call: Call): Promise<{ readonly milliseconds: number; readonly body: string }>;
  close(): void;
}

export function openConnection(base: string, key: string): Connection {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async send({ method, path, body }) {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      };
      const began = performance.now();
      const request = http.request(base + path, { method, headers, agent });
      const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
      request.once('response', resolve);
      request.once('error', reject);
      request.end(body);
      const response = await promise;
      const received = await text(response);
      const milliseconds = performance.now() - began;
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) throw new Error(`${method} ${path} returned ${status}: ${received}`);
      return { milliseconds, body: received };
    },
    close: () => agent.destroy(),
  };
}
