import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * Starts a TCP proxy on loopback that can withhold responses: the server still receives the requests, but the client
 * gets no responses. It can also freeze: connections open and stay silent, as if the server's processes were stopped.
 */
export async function openWithholdingProxy() {
  let target = 0;
  let withholding = false;
  let frozen = false;
  const sockets = new Set<Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.once('error', () => socket.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (!withholding) client.write(chunk);
    });
    if (frozen) client.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forwardTo = (port: number) => {
    target = port;
    withholding = false;
  };
  return {
    base: `http://${host}`,
    /** Forwards new connections to a port, and passes responses. */
    forwardTo,
    /** Forwards new connections to a database over TCP. Returns the address of the database through this proxy. */
    forwardToDatabase(databaseUrl: string): string {
      const url = new URL(databaseUrl);
      forwardTo(Number(url.port));
      return Object.assign(url, { host, search: '' }).href;
    },
    /** Withholds all responses from now on. */
    withhold(): void {
      withholding = true;
    },
    /** Passes nothing more until `thaw`, which passes all that has waited. */
    freeze(): void {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw(): void {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
