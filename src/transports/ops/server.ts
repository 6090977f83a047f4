import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from './metrics.ts';
import type { ReadinessCheck } from './readiness-check.ts';

/** A response as this server sends it. */
interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * Returns the server of an operator's probes and charts. It needs no key and says nothing of a project, so it belongs on a
 * port that clients cannot reach.
 */
export function opsServer(readiness: ReadinessCheck, metrics: Metrics, log: Log): Server {
  const replies: Readonly<Record<string, () => Reply | Promise<Reply>>> = {
    '/livez': () => json(200, { status: 'ok' }),
    '/readyz': async () => {
      const reason = await readiness.reason();
      return reason ? json(503, { status: 'unavailable', reason }) : json(200, { status: 'ok' });
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
  };
  return createServer((request, response) => {
    reply(request, response).catch((err: unknown) => {
      log.error({ err }, 'the operations port failed');
      send(response, json(500, { status: 'failed' }));
    });
  });

  async function reply({ method = '', url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = url.split('?', 1);
    const known = method === 'GET' || method === 'HEAD' ? replies[path] : undefined;
    send(response, known ? await known() : json(404, { status: 'not_found' }));
  }
}

function json(status: number, body: object): Reply {
  return { status, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, type, text }: Reply): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}
