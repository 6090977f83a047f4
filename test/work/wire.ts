import { once } from 'node:events';
import net from 'node:net';

/** What has gone over the connections between Parley and Postgres. */
export interface Traffic {
  /** How often a connection sent something after it had received all that came before. */
  readonly roundTrips: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

export interface Wire {
  /** The URL of the same database through the wire. */
  readonly url: string;
  /** Since the wire was opened. */
  traffic(): Traffic;
  close(): Promise<void>;
}

/** Opens a port that passes on what it gets to the Postgres of a URL, and counts it. */
export async function openWire(url: string): Promise<Wire> {
  const through = new URL(url);
  const folder = through.searchParams.get('host');
  const target = folder
    ? { path: `${folder}/.s.PGSQL.${through.port}` }
    : { host: through.hostname, port: Number(through.port) };
  const counts = { roundTrips: 0, bytesSent: 0, bytesReceived: 0 };
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const database = net.connect(target);
    let waits = false;
    client.on('data', (piece) => {
      counts.bytesSent += piece.length;
      if (!waits) counts.roundTrips += 1;
      waits = true;
    });
    database.on('data', (piece) => {
      counts.bytesReceived += piece.length;
      waits = false;
    });
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        sockets.delete(from);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  through.searchParams.delete('host');
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    traffic: () => ({ ...counts }),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
