import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from './log.ts';
import type { Expected } from './turn-taking/types.ts';

/** What LiveKit's job says the room is for, or who calls in it. */
export interface CallPurpose {
  readonly projectId?: string;
  readonly web?: { readonly webAgentId: string; readonly conversationId: string; readonly version: number };
  readonly phone?: { readonly phoneNumberId: string; readonly callerPhone: string | null };
}

/** The session of a room. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly roomUrl: string;
  readonly token: string;
  /** True if another worker has played it before. */
  readonly isResumed: boolean;
  /** What the agent says first in a session that is resumed; null for a new one. */
  readonly resumeLine: string | null;
}

/** What Parley says during a turn. */
export type SessionEvent =
  | { readonly event: 'say'; readonly text: string; readonly interruptible?: boolean }
  | {
      readonly event: 'listen';
      readonly expects: Expected;
      readonly silence: number;
      readonly digits?: { readonly most?: number; readonly pause: number };
    }
  | {
      readonly event: 'transfer';
      readonly kind: string;
      readonly value: string;
      /** Set if the worker is to put the caller through; the conversation waits for what comes of it. */
      readonly isAwaited?: true;
      /** False if nobody else has put the caller through. */
      readonly handedOver?: boolean;
    }
  | { readonly event: 'end'; readonly reason: string }
  | { readonly event: 'done'; readonly turn: number }
  | { readonly event: 'error'; readonly error: { readonly code: string; readonly message: string } };

/** A turn of the caller. */
export type CallerTurn = (
  | { readonly start: true }
  | { readonly text: string; readonly messageId: string }
  | { readonly digits: string; readonly messageId: string }
  | { readonly silent: true; readonly messageId: string }
  | { readonly transferred: boolean; readonly reason?: string; readonly messageId: string }
) & {
  /** The caller interrupted the lines of this turn, of which they heard this text. */
  readonly heard?: { readonly turn: number; readonly text: string };
};

export interface StoredTurn {
  readonly turn: number;
  readonly events: readonly SessionEvent[];
}

export interface Heartbeat {
  readonly worker: string;
  readonly capacity: number;
  readonly rooms: readonly string[];
  readonly isDraining: boolean;
}

/** A response of Parley that is not a success. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Milliseconds for which a request may be silent. */
const patience = 15_000;
/** Milliseconds for which a turn may be silent: a model or a webhook may be at work. */
const turnPatience = 60_000;
/** Milliseconds before each further attempt. Together they outlast a restart of Parley. */
const waits = [250, 500, 1000, 2000, 4000];
/** The signal of what is carried out even if the call is over. */
const never = new AbortController().signal;

/** The client of what Parley offers to workers. */
export class ParleyClient {
  readonly #url: string;
  readonly #key: string;

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.#url = url;
    this.#key = key;
  }

  /** Opens the session of a room, or returns the one that the room has. */
  async open(room: string, worker: string, purpose: CallPurpose): Promise<ParleySession> {
    const body = { room, worker, ...purpose };
    return new ParleySession(await retried(() => this.#post<OpenedSession>('/v1/voice/calls', body), never));
  }

  /** Says that this worker lives. Returns those of its rooms that are still its own, if Parley says so. */
  async beat(heartbeat: Heartbeat): Promise<readonly string[] | undefined> {
    const { rooms } = await this.#post<{ rooms?: readonly string[] }>('/v1/voice/heartbeat', heartbeat);
    return rooms;
  }

  async #post<Result>(path: string, body: object): Promise<Result> {
    const response = await send(`${this.#url}${path}`, jsonRequest(this.#key, body));
    return (await response.json()) as Result;
  }
}

/** One session that Parley plays. */
export class ParleySession {
  readonly #roomUrl: string;
  readonly #token: string;
  readonly sessionId: string;
  readonly isResumed: boolean;
  readonly resumeLine: string | null;

  constructor({ sessionId, roomUrl, token, isResumed, resumeLine }: OpenedSession) {
    this.sessionId = sessionId;
    this.#roomUrl = roomUrl;
    this.#token = token;
    this.isResumed = isResumed;
    this.resumeLine = resumeLine;
  }

  /** The turns that were played before, oldest first. */
  async turns(signal: AbortSignal): Promise<readonly StoredTurn[]> {
    return retried(async () => {
      const response = await send(this.#roomUrl, { headers: authorization(this.#token), signal });
      return ((await response.json()) as { turns: readonly StoredTurn[] }).turns;
    }, signal);
  }

  /**
   * Plays a turn and yields its events. If the connection fails, sends the turn again and goes on after the last event that it
   * yielded: Parley plays a message once, and replays its events.
   * @throws ParleyError if Parley refuses the turn
   */
  async *play(turn: CallerTurn, signal: AbortSignal): AsyncGenerator<SessionEvent, void, undefined> {
    let yielded = 0;
    for (let attempt = 0; ; attempt++) {
      try {
        let position = 0;
        for await (const event of this.#events(turn, signal)) {
          if (position++ < yielded) continue;
          yielded++;
          yield event;
          if (event.event === 'done' || event.event === 'error') return;
        }
        throw new Error('Parley closed the stream of a turn before its end.');
      } catch (error) {
        await waitToRetry(error, attempt, signal);
      }
    }
  }

  /** Yields the speech of a line: 16-bit samples, mono, 24 kHz. */
  async *say(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { body } = await send(`${this.#roomUrl}/say`, jsonRequest(this.#token, { text }, signal));
    if (body) yield* withPatience(body);
  }

  /** Returns the words of a recording; empty if it has none. */
  async transcribe(wav: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<string> {
    const headers = { ...authorization(this.#token), 'content-type': 'audio/wav' };
    const request = { method: 'POST', headers, body: wav, signal };
    const response = await send(`${this.#roomUrl}/transcriptions`, request);
    return ((await response.json()) as { text: string }).text;
  }

  /** Says that the caller has hung up. */
  async end(): Promise<void> {
    const response = await retried(() => send(`${this.#roomUrl}/end`, jsonRequest(this.#token, {})), never);
    await response.body?.cancel();
  }

  async *#events(turn: CallerTurn, signal: AbortSignal): AsyncGenerator<SessionEvent, void, undefined> {
    const { body } = await send(
      `${this.#roomUrl}/messages`,
      jsonRequest(this.#token, turn, signal),
      turnPatience,
    );
    if (!body) return;
    const decoder = new TextDecoder();
    let text = '';
    // A turn may wait for a model or a webhook, so the stream has no limit of its own; the signal ends it with the call.
    for await (const piece of body) {
      text += decoder.decode(piece as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = eventIn(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
      }
    }
  }
}

/** The event in a block of an event stream; undefined for a comment, which keeps the connection open. */
function eventIn(block: string): SessionEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { event: fields.get('event'), ...(JSON.parse(data) as object) } as SessionEvent;
}

/** Repeats a request that may be sent twice, until it succeeds or a repetition makes no sense. */
async function retried<Result>(request: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      await waitToRetry(error, attempt, signal);
    }
  }
}

/** Waits before the next attempt. Throws the error if there is none: the last has failed, or Parley refuses the request. */
async function waitToRetry(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
  const wait = waits[attempt];
  const isRefused = error instanceof ParleyError && error.status < 500 && error.status !== 429;
  if (signal.aborted || wait === undefined || isRefused) throw error;
  await delay(wait, undefined, { signal });
}

interface Request extends RequestInit {
  readonly headers: Record<string, string>;
}

function jsonRequest(credential: string, body: object, signal?: AbortSignal): Request {
  return {
    method: 'POST',
    headers: { ...authorization(credential), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  };
}

function authorization(credential: string): Record<string, string> {
  return { authorization: `Bearer ${credential}` };
}

/**
 * Sends a request, and returns the response once its head is here.
 * @throws ParleyError for a status that is not a success
 */
async function send(url: string, request: Request, limit = patience): Promise<Response> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('Parley did not respond in time.')), limit);
  const signals = [silence.signal, ...(request.signal ? [request.signal] : [])];
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.any(signals) });
    if (response.ok) return response;
    throw new ParleyError(response.status, await reasonIn(response));
  } finally {
    clearTimeout(timer);
  }
}

async function reasonIn(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { message: string } };
    return `${response.status}: ${error.message}`;
  } catch (error) {
    return `${response.status}, with a body that is no error of Parley (${messageOf(error)})`;
  }
}

/** Yields the pieces of a stream. Throws if none arrives in time, which would keep a call waiting for ever. */
async function* withPatience(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('The speech stopped arriving.')), patience);
      const { done, value } = await Promise.race([reader.read(), late.promise]).finally(() =>
        clearTimeout(timer),
      );
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
