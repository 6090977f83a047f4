import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { speech } from './speech.ts';

/** What the agent does in a turn. */
export interface StandInEvent {
  readonly event: string;
  readonly [member: string]: unknown;
}

interface StandInSession {
  readonly id: string;
  readonly room: string;
  worker: string;
  readonly turns: { turn: number; messageId: string | null; events: StandInEvent[] }[];
  isEnded: boolean;
}

/** Speech is sent in pieces of 100 ms. */
const pieceLength = 4800;

/** A server with what Parley offers to workers. It knows what callers will say, and notes what it was asked. */
export class StandInParley {
  readonly key = 'trial-key';
  readonly sessions: StandInSession[] = [];
  /** The lines whose speech was requested, in their order. */
  readonly spoken: string[] = [];
  /** The bodies of turns, in their order. */
  readonly messages: Readonly<Record<string, unknown>>[] = [];
  /** What the transcription of the next utterance returns. */
  nextText = '';
  /** When each worker was heard of last. */
  readonly #beats = new Map<string, number>();
  readonly #responses: Readonly<Record<string, readonly StandInEvent[]>>;
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  /** @param responses the events of the turn after a text of the caller; the empty text starts */
  constructor(responses: Readonly<Record<string, readonly StandInEvent[]>>) {
    this.#responses = responses;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Rooms whose worker has been silent for so many milliseconds. */
  silentRooms(silence: number): string[] {
    return this.sessions
      .filter(({ isEnded, worker }) => {
        const at = this.#beats.get(worker) ?? performance.now();
        return !isEnded && performance.now() - at > silence;
      })
      .map(({ room }) => room);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.url);
    const [, id = '', action = ''] = /^\/v1\/web-sessions\/([^/]+)\/?(.*)$/.exec(pathname) ?? [];
    const session = this.sessions.find((one) => one.id === id);
    const token = request.headers.authorization?.slice('Bearer '.length);
    if (token !== (session ? session.id : this.key))
      return sendJson(response, 401, {
        error: { code: 'unauthorized', message: 'The credential is wrong.' },
      });
    if (pathname === '/v1/voice/heartbeat') return this.#beat(await bodyOf(request), response);
    if (pathname === '/v1/voice/calls') return this.#open(await bodyOf(request), response);
    if (!session)
      return sendJson(response, 404, { error: { code: 'not_found', message: 'No such session.' } });
    switch (action) {
      case '':
        return sendJson(response, 200, { status: 'active', turns: session.turns });
      case 'messages':
        return this.#play(session, await bodyOf(request), response);
      case 'say':
        return this.#say(String((await bodyOf(request))['text']), response);
      case 'transcriptions':
        await buffer(request);
        return sendJson(response, 200, { text: this.nextText });
      default:
        session.isEnded = true;
        return sendJson(response, 200, {});
    }
  }

  #beat(body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    const { worker, rooms } = body as unknown as { worker: string; rooms: string[] };
    this.#beats.set(worker, performance.now());
    const isOwn = (room: string) =>
      this.sessions.some((session) => session.room === room && session.worker === worker && !session.isEnded);
    sendJson(response, 200, { rooms: rooms.filter(isOwn) });
  }

  #open(body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    const { room, worker } = body as unknown as { room: string; worker: string };
    const known = this.sessions.find((session) => session.room === room);
    const session = known ?? {
      id: `cws${this.sessions.length}`,
      room,
      worker,
      turns: [],
      isEnded: false,
    };
    if (!known) this.sessions.push(session);
    session.worker = worker;
    sendJson(response, 201, {
      sessionId: session.id,
      roomUrl: `${this.url}/v1/web-sessions/${session.id}`,
      token: session.id,
      isResumed: known !== undefined,
      resumeLine: known === undefined ? null : 'Sorry, I lost you for a moment.',
    });
  }

  #play(session: StandInSession, body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    this.messages.push(body);
    const outcome = 'transferred' in body ? '(not transferred)' : '';
    const said = typeof body['text'] === 'string' ? body['text'] : outcome;
    const events = [...(this.#responses[said] ?? [])];
    const turn = session.turns.length;
    session.turns.push({ turn, messageId: (body['messageId'] as string | undefined) ?? null, events });
    if (events.some(({ event }) => event === 'end')) session.isEnded = true;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { event, ...data } of [...events, { event: 'done', turn }])
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    response.end();
  }

  #say(text: string, response: ServerResponse): void {
    this.spoken.push(text);
    const samples = speech(text, 24_000);
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    response.writeHead(200, { 'content-type': 'audio/L16;rate=24000' });
    for (let at = 0; at < bytes.length; at += pieceLength)
      response.write(bytes.subarray(at, at + pieceLength));
    response.end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  return (await json(request)) as Readonly<Record<string, unknown>>;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
