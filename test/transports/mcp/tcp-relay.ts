import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on a port of its own that passes every connection on to another, until it is stopped. */
export interface Relay {
  readonly base: string;
  /** Cuts every connection and refuses new ones. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  restart(): Promise<void>;
}

/** Opens a relay to a server on this machine. */
export async function openRelay(base: string): Promise<Relay> {
  const { hostname, port: target } = new URL(base);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const listen = async (port: number): Promise<number> => {
    server = createServer((near) => {
      const far = connect(Number(target), hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => near.destroy() && far.destroy());
      }
      near.pipe(far).pipe(near);
    }).listen(port, hostname);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closed = server?.listening ? once(server, 'close') : undefined;
    server?.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  const port = await listen(0);
  onTestFinished(stop);
  return {
    base: `http://${hostname}:${port}`,
    stop,
    async restart() {
      await listen(port);
    },
  };
}
