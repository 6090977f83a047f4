import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { FetchFailure } from '../../src/platform/outbound/fetch-failure.ts';
import { openWall, type WallOptions } from '../../src/resources/knowledge/fetch/wall.ts';
import { certificate, key } from './self-signed.ts';

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** A wall without pacing, and the security events that it logs. */
export function openTrialWall(options: Partial<WallOptions> = {}) {
  const events: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void events.push(JSON.parse(line)) });
  const limits = { pace: { atOnce: 100, gap: 0 }, ...options.limits };
  const wall = openWall({ allow: [], log, version: '1.2.3', ...options, limits });
  onTestFinished(() => wall.close());
  return { wall, events };
}

/** The failure of a fetch. */
export async function failureOf(fetched: Promise<unknown>): Promise<{ message: string; final: boolean }> {
  const outcome = await fetched.then(
    () => 'a page',
    (error: unknown) => error,
  );
  if (!(outcome instanceof FetchFailure)) throw new Error('no FetchFailure', { cause: outcome });
  return { message: outcome.message, final: outcome.final };
}

/** A web server on loopback; `allow` lets the wall reach it. */
export function openSite(listener: http.RequestListener) {
  return listening(http.createServer(listener));
}

/** A web server with TLS and a self-signed certificate. */
export async function openSecureSite(listener: http.RequestListener, options: https.ServerOptions = {}) {
  const site = await listening(https.createServer({ cert: certificate, key, ...options }, listener));
  return { ...site, url: site.url.replace('http', 'https') };
}

/** Trusts the self-signed certificate until the end of the test. */
export function trustSelfSigned(): void {
  const usual = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...usual, certificate]);
  onTestFinished(() => tls.setDefaultCACertificates(usual));
}

/** A TCP server for responses that are not valid HTTP. */
export function openRawSite(onConnection: (socket: net.Socket) => void) {
  return listening(
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      onConnection(socket);
    }),
  );
}

async function listening(server: net.Server) {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    allow: [`127.0.0.1:${port}`],
    connections: () => connections,
  };
}
