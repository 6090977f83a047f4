import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { Design } from '../../src/design/schema/design.ts';
import type { Laboratory } from './laboratory.ts';
import type { Tenant } from './world.ts';

/** Creates a web agent for chats with this design; returns its id. */
export async function createChatAgent(
  laboratory: Laboratory,
  base: string,
  { projectId, key }: Tenant,
  design: Design,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { id: string }).id;
  };
  const conversationId = await post(`/v1/projects/${projectId}/conversations`, { name: 'Desk' });
  await laboratory.rows(
    'update conversation_versions set design = cast(:design as json) where conversation_id = :conversationId',
    { design: JSON.stringify(design), conversationId },
  );
  return post(`/v1/projects/${projectId}/web-sessions/agents`, {
    name: 'Website',
    scopes: ['chat'],
    conversationId,
    ...more,
  });
}

/** Milliseconds in which a message has to be stored. */
const longestTry = 120_000;

/** A visitor who sends each message until it is stored. */
export interface Visitor {
  readonly sessionId: string;
  /** Opens the conversation, or sends a message; returns the number of the turn and the milliseconds that it took. */
  send(message: { start: true } | { text: string; messageId: string }, how?: Sending): Promise<Sent>;
}

interface Sending {
  /** The server, if it is another one than before. */
  readonly base?: string;
  /** How often a message is sent at most. */
  readonly attempts?: number;
}

interface Sent {
  readonly turn: number;
  readonly milliseconds: number;
  /** How often the message was sent. */
  readonly attempts: number;
}

/** Starts a session through a base, such as that of a proxy. */
export async function openVisitor(base: string, { key }: Tenant, webAgentId: string): Promise<Visitor> {
  const response = await fetch(`${base}/v1/web-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webAgentId }),
  });
  const { roomUrl, token } = (await response.json()) as { roomUrl: string; token: string };
  const { pathname } = new URL(roomUrl);
  const once = async (message: object, at: string): Promise<number | undefined> => {
    try {
      const turn = await fetch(`${at}${pathname}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(message),
      });
      const text = await turn.text();
      const done = /^event: done\ndata: \{"turn":(\d+)\}\n\n$/m.exec(text);
      if (done) return Number(done[1]);
      if (turn.status < 500 && turn.status !== 200)
        throw new TypeError(`refused with ${turn.status}: ${text}`);
    } catch (error) {
      // The connection broke, as it does if the server is killed.
      if (!(error instanceof TypeError) || error.message.startsWith('refused')) throw error;
    }
    return undefined;
  };
  return {
    sessionId: pathname.split('/').at(-1) ?? '',
    async send(message, how = {}) {
      const began = performance.now();
      for (let attempts = 1; ; attempts++) {
        const turn = await once(message, how.base ?? base);
        if (turn !== undefined) return { turn, milliseconds: performance.now() - began, attempts };
        if (attempts === how.attempts || performance.now() - began > longestTry)
          throw new Error('the message was not stored');
      }
    },
  };
}

/** A proxy that sends connections to servers in turn, and to another one if the first refuses. */
export async function openProxy(ports: readonly number[]) {
  let next = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const connect = (left: number) => {
      const port = ports[next++ % ports.length] ?? 0;
      const upstream = net.connect(port, '127.0.0.1');
      sockets.add(upstream).add(client);
      upstream.once('connect', () => client.pipe(upstream).pipe(client));
      upstream.once('error', () => {
        if (upstream.bytesRead === 0 && upstream.bytesWritten === 0 && left > 0) connect(left - 1);
        else client.destroy();
      });
      upstream.once('close', (hadError) => {
        sockets.delete(upstream);
        if (!hadError) client.destroy();
      });
      client.once('close', () => {
        sockets.delete(client);
        upstream.destroy();
      });
    };
    client.on('error', () => client.destroy());
    connect(ports.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
