import { createParser } from 'eventsource-parser';

/** Where a session is, and what opens it. */
export interface Address {
  readonly roomUrl: string;
  readonly token: string;
  /** True if the session takes recordings, and speaks. */
  readonly speaks?: boolean;
}

/** What a turn shows, in the order in which it happens. */
export type TurnEvent =
  | { readonly event: 'say'; readonly text: string }
  | {
      readonly event: 'transfer';
      readonly kind: string;
      readonly value: string;
      readonly handedOver: boolean;
    }
  | { readonly event: 'end'; readonly reason: string }
  | { readonly event: 'heard'; readonly text: string }
  | { readonly event: 'audio'; readonly type: string; readonly data: string };

/** One turn as the server has stored it. */
export interface StoredTurn {
  readonly messageId: string | null;
  readonly text: string | null;
  readonly events: readonly TurnEvent[];
}

export interface StoredSession {
  readonly status: 'waiting' | 'open' | 'ended';
  readonly reason: string | null;
  readonly turns: readonly StoredTurn[];
}

/** The server's body of an error. */
interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly requestId?: string;
    readonly details?: { readonly reason?: string };
  };
}

/** The server has refused a request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Milliseconds that the server asks to wait. */
  readonly wait: number | undefined;
  /** Why a page may not use the web agent, or a session has ended. */
  readonly reason: string | undefined;

  constructor(status: number, { error = {} }: ErrorBody, retryAfter: string | null) {
    super(
      `${error.message ?? `The server responded with ${status}.`} (request ${error.requestId ?? 'unknown'})`,
    );
    this.status = status;
    this.wait = retryAfter === null ? undefined : Number(retryAfter) * 1000 || undefined;
    this.reason = error.details?.reason;
  }
}

/** No complete response has arrived: the same request may be sent again. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Milliseconds without a byte after which a response counts as lost. The server waits 60 s for an earlier turn. */
const silenceLimit = 75_000;

/** What a session is started with. */
export interface Start {
  readonly server: string;
  readonly key: string;
  readonly webAgentId: string;
  /** True if the visitor may speak, as far as the web agent and the server allow it. */
  readonly voice: boolean;
}

/** Starts a session of a web agent. Without voice on the server's side, it is a chat. */
export async function startSession(
  { server, key, webAgentId, voice }: Start,
  signal: AbortSignal,
): Promise<Address> {
  const start = (mode: 'voice' | 'chat') =>
    readJson<Address>(`${server}v1/web-sessions`, {
      method: 'POST',
      token: key,
      body: { webAgentId, mode },
      signal,
    });
  if (!voice) return start('chat');
  try {
    const address = await start('voice');
    // Voice in a room of LiveKit needs another program.
    if (/^https?:/.test(address.roomUrl)) return { ...address, speaks: true };
  } catch (error) {
    if (!(error instanceof Refusal && withoutVoice.has(error.status))) throw error;
  }
  return start('chat');
}

/** The scopes of the web agent do not include voice, or no model on the server hears and speaks. */
const withoutVoice: ReadonlySet<number> = new Set([400, 502]);

/** Returns what the server has stored of a session. */
export function readSession({ roomUrl, token }: Address, signal: AbortSignal): Promise<StoredSession> {
  return readJson<StoredSession>(roomUrl, { method: 'GET', token, signal });
}

/** Ends a session, because the visitor leaves it. */
export async function endSession({ roomUrl, token }: Address, signal: AbortSignal): Promise<void> {
  await readJson(`${roomUrl}/end`, { method: 'POST', token, body: {}, signal });
}

/** A message of the visitor, written or recorded, or the start of the session. */
export type Message =
  | { readonly start: true }
  | { readonly text: string; readonly messageId: string }
  | { readonly recording: Blob; readonly messageId: string };

/**
 * Plays a turn. Returns its events as they arrive, and ends once the server has stored the turn.
 * @throws ConnectionLost if the stream breaks off before; then the events may come again
 */
export async function* playTurn(
  { roomUrl, token }: Address,
  message: Message,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const [place, body] =
    'recording' in message
      ? [`speech?messageId=${message.messageId}`, message.recording]
      : ['messages', message];
  const request = { method: 'POST', token, body, signal } as const;
  for await (const { event, value } of eventsOf(`${roomUrl}/${place}`, request)) {
    if (event === 'done') {
      // The server plays the opening again before the message if it has evicted the silent session.
      if ('start' in message || (value as { turn?: number }).turn !== 0) return;
      continue;
    }
    if (event === 'error') throw new Refusal(500, value, null);
    yield { event, ...value } as TurnEvent;
  }
  throw new ConnectionLost('The stream ended before the turn was stored.');
}

interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly token: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

async function readJson<Value>(address: string, exchange: Exchange): Promise<Value> {
  const watch = new Silence(exchange.signal);
  try {
    const response = await send(address, exchange, watch.signal);
    return (await response.json()) as Value;
  } catch (error) {
    throw watch.meaningOf(error);
  } finally {
    watch.stop();
  }
}

interface Streamed {
  readonly event: string | undefined;
  readonly value: object;
}

async function* eventsOf(address: string, exchange: Exchange): AsyncGenerator<Streamed> {
  const watch = new Silence(exchange.signal);
  try {
    const response = await send(address, exchange, watch.signal);
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const arrived: Streamed[] = [];
    const parser = createParser({
      onEvent: ({ event, data }) => arrived.push({ event, value: JSON.parse(data) as object }),
    });
    for (;;) {
      const piece = await reader?.read();
      watch.restart();
      if (!piece || piece.done) return;
      parser.feed(decoder.decode(piece.value, { stream: true }));
      yield* arrived.splice(0);
    }
  } catch (error) {
    throw watch.meaningOf(error);
  } finally {
    watch.stop();
  }
}

async function send(
  address: string,
  { method, token, body }: Exchange,
  signal: AbortSignal,
): Promise<Response> {
  const [type, bytes] = body instanceof Blob ? [body.type, body] : ['application/json', JSON.stringify(body)];
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) },
    ...(body && { body: bytes }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal,
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new Refusal(response.status, errorBodyOf(text), response.headers.get('retry-after'));
}

/** Reads the body of an error. A proxy in front of the server may have written something else than JSON. */
function errorBodyOf(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}

/** Aborts a request that stays silent. */
class Silence {
  readonly signal: AbortSignal;
  readonly #given: AbortSignal;
  readonly #controller = new AbortController();
  #timer = 0;

  constructor(given: AbortSignal) {
    this.#given = given;
    this.signal = AbortSignal.any([given, this.#controller.signal]);
    this.restart();
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), silenceLimit);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  /** Returns what a failure means to the caller: browsers report a lost connection in many ways. */
  meaningOf(error: unknown): unknown {
    if (this.#given.aborted || error instanceof Refusal || error instanceof ConnectionLost) return error;
    return new ConnectionLost('The connection was lost.', { cause: error });
  }
}
