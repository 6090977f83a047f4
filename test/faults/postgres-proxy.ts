import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** The moment at which a connection is cut: after so many messages of one side, or in the middle of the next one. */
export interface Cut {
  readonly from: 'client' | 'server';
  readonly after: number;
  readonly inMessage: boolean;
}

/** The messages that each side has sent. */
type MessageCounts = Record<Cut['from'], number>;

const writeSession = 'parley-write';
/** The types of the messages that hold SQL: Query and Parse. */
const holdsSql = ['Q'.charCodeAt(0), 'P'.charCodeAt(0)];

/**
 * Starts a TCP proxy on loopback in front of a Postgres database. It knows the messages of the protocol, and can cut or
 * change those of the sessions in which Parley writes. It passes all other sessions.
 */
export async function openPostgresProxy(databaseUrl: string) {
  const { port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** The clients of the write sessions. */
  const writers = new Map<Socket, { readonly upstream: Socket; isCut: boolean }>();
  let counts: MessageCounts = { client: 0, server: 0 };
  let cut: Cut | undefined;
  let breaksBegin = false;

  /** Both sides still receive what was sent before the cut, and see that the connection ends. */
  const end = (client: Socket) => {
    const session = writers.get(client);
    if (!session) return;
    session.isCut = true;
    client.end();
    session.upstream.end();
  };
  const passMessage = (from: Cut['from'], message: Buffer, client: Socket, sink: Socket) => {
    if (writers.get(client)?.isCut) return;
    if (cut?.from === from && cut.after === counts[from]) {
      if (cut.inMessage) sink.write(message.subarray(0, Math.ceil(message.length / 2)));
      cut = undefined;
      end(client);
      return;
    }
    counts[from] += 1;
    sink.write(from === 'client' && breaksBegin ? withBrokenBegin(message) : message);
  };

  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), '127.0.0.1');
    client.once('data', (startup: Buffer) => {
      if (startup.includes(writeSession)) writers.set(client, { upstream, isCut: false });
    });
    for (const [from, source, sink] of [
      ['client', client, upstream],
      ['server', upstream, client],
    ] as const) {
      sockets.add(source);
      source.setNoDelay(true);
      source.on('error', () => source.destroy());
      source.once('close', () => {
        sockets.delete(source);
        sink.end();
      });
      const messagesIn = messageReader(from === 'client');
      source.on('data', (chunk: Buffer) => {
        for (const message of messagesIn(chunk))
          if (writers.has(client)) passMessage(from, message, client, sink);
          else sink.write(message);
      });
    }
    client.once('close', () => writers.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The address of the database through this proxy. */
    url: Object.assign(new URL(databaseUrl), { host, search: '' }).href,
    /** Cuts the first write session that gets there. Counts from now on; undefined for no cut. */
    arm(planned: Cut | undefined): void {
      counts = { client: 0, server: 0 };
      cut = planned;
    },
    /** True if the planned cut has happened. */
    isCut: () => cut === undefined,
    /** While set, every BEGIN becomes a syntax error. */
    breakBegin(isBroken: boolean): void {
      breaksBegin = isBroken;
    },
    /** The write sessions that Parley has not closed. One that was cut counts until Parley has noticed the cut. */
    writeSessions: () => ({
      open: writers.size,
      cut: [...writers.values()].filter(({ isCut }) => isCut).length,
    }),
    /** Ends the write sessions, so that the next write opens a new one. */
    endWriteSessions(): void {
      for (const client of writers.keys()) end(client);
    },
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export type PostgresProxy = Awaited<ReturnType<typeof openPostgresProxy>>;

/** Returns a function that splits a stream of chunks into messages. The client's first message has no type. */
function messageReader(startsWithoutType: boolean): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let typeLength = startsWithoutType ? 0 : 1;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= typeLength + 4) {
      const length = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < length) break;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      typeLength = 1;
    }
    return messages;
  };
}

/** Misspells BEGIN in a message. The length stays the same. */
function withBrokenBegin(message: Buffer): Buffer {
  if (!holdsSql.includes(message[0] ?? 0)) return message;
  return Buffer.from(message.toString('latin1').replace(/\bbegin\b/gi, 'bogus'), 'latin1');
}
