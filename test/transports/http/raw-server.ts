import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { httpServer, type ServerLimits } from '../../../src/transports/http/server.ts';

/** Starts a server for one test. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  limits: Partial<ServerLimits> = {},
) {
  const server = httpServer(listener, pino({ level: 'silent' }), limits).listen(0, '127.0.0.1');
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, sockets };
}

/** Opens a connection that ends with the test. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** A request without a body. Its target is its number. */
export function request(number: number, headers = ''): string {
  return `GET /${number} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;
}
