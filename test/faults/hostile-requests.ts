import { Agent, type ClientRequest, request } from 'node:http';
import net from 'node:net';

/** A server and a key. */
export interface Target {
  readonly base: string;
  readonly key?: string;
}

export interface Sent {
  /** 0 if the server cut the connection. */
  readonly status: number;
  readonly text: string;
}

/** A client whose connections stay open. */
export function openClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const open = new Set<ClientRequest>();
  return {
    /** Sends a request. Never rejects, because a server may cut what it has refused. */
    send(
      { base, key }: Target,
      method: string,
      path: string,
      body: string | Buffer = '',
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Sent> {
      return new Promise((resolve) => {
        const outgoing = request(base + path, {
          method,
          agent,
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(body.length > 0 && { 'content-type': 'application/json' }),
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        });
        open.add(outgoing);
        const end = (sent: Sent) => {
          open.delete(outgoing);
          resolve(sent);
        };
        outgoing.on('error', () => end({ status: 0, text: '' }));
        outgoing.on('response', (incoming) => {
          const pieces: Buffer[] = [];
          const { statusCode: status = 0 } = incoming;
          incoming.on('data', (piece: Buffer) => pieces.push(piece));
          incoming.on('error', () => end({ status: 0, text: '' }));
          incoming.on('end', () => end({ status, text: Buffer.concat(pieces).toString() }));
        });
        outgoing.end(body);
      });
    },
    /** Leaves without waiting for what is open. */
    close() {
      for (const outgoing of open) outgoing.destroy();
      agent.destroy();
    },
  };
}

export type HostileClient = ReturnType<typeof openClient>;

/** Connections that send bytes and never read what comes back. Returns a function that closes them. */
export function openDeafSockets({ base }: Target, count: number, bytes: string | Buffer): () => void {
  const { hostname, port } = new URL(base);
  const sockets = Array.from({ length: count }, () => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => socket.destroy());
    socket.pause();
    socket.write(bytes);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
