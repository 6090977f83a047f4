import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * Starts a TCP proxy on loopback that can withhold responses: the server still receives the requests, but the client
 * gets no responses.
 */
export async function openWithholdingProxy() {
  let target = 0;
  let withholding = false;
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
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
