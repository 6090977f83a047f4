import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { readableFormats } from '../../../calls/stored-call.ts';
import type { Design } from '../../../design/schema/design.ts';
import type { SessionClaims } from '../../../environment/services.ts';
import type { ClientAddress } from '../../../operation/context.ts';
import { ToolError, tooManyAtOnce, toToolError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { OneAtATime } from '../../../platform/turns.ts';
import type { Recording } from '../../../services/models/transcription.ts';
import type { Stores } from '../../../store/stores.ts';
import { designIn } from '../../designs/stored-design.ts';
import { readPlayable } from '../../playable/compiled-version.ts';
import { ownerOfDesign } from '../owner.ts';
import type { OpenedToken } from '../session-token.ts';
import type {
  IdleSession,
  LeasedSession,
  SessionEvent,
  SessionSpending,
  SessionStanding,
  SessionStore,
  StoredTurn,
  TakenSession,
  TurnName,
} from '../store.ts';
import { idleMinutes, leaseRenewal } from '../store.ts';
import { playTurn, type ReachedLimit, type TurnInput } from './play-turn.ts';
import type { SessionRuntime } from './session-runtime.ts';
import { secondsOfSpeech, speechOf, spokenSamples, transcribed } from './speech.ts';
import { TurnSpending } from './turn-spending.ts';

/** Counts turns, for an operator's charts. */
export interface TurnMetrics {
  turnBegins(): void;
  /** `began` is `performance.now()` when it began. */
  turnEnds(turn: { readonly outcome: 'stored' | 'failed'; readonly began: number }): void;
  /** A session has reached a limit in a turn. */
  limitReached(limit: ReachedLimit): void;
}

/** What a turn streams: what happens, and at last that it is stored. */
export type StreamedEvent =
  | SessionEvent
  | { readonly event: 'audio'; readonly type: string; readonly data: string }
  | { readonly event: 'done'; readonly turn: number };

/** The status, the step and the transcript of a session. */
export interface ShownSession {
  readonly id: string;
  /** `waiting`: the visitor has not come yet. */
  readonly status: 'waiting' | 'open' | 'ended';
  readonly step: string | null;
  readonly reason: string | null;
  readonly turns: readonly {
    readonly turn: number;
    readonly messageId: string | null;
    readonly text: string | null;
    readonly events: readonly SessionEvent[];
  }[];
}

/** The token of a request, and the address of its client. A voice worker has none, because its address is not that of its callers. */
export interface ArrivedToken extends OpenedToken {
  readonly client: ClientAddress | undefined;
}

export interface SessionsOptions {
  readonly runtime: SessionRuntime;
  readonly log: Log;
  readonly metrics?: TurnMetrics | undefined;
}

/** Milliseconds for one turn, with its models and requests. */
const longestTurn = 50_000;
/** Milliseconds that a message waits for the turn before it, which another replica may have begun and lost. */
const longestWait = 60_000;
/** Milliseconds between two looks at a session that another replica plays. */
const [firstPause, longestPause] = [50, 500];
/** Sessions that one look ends, and that are ended at once. */
const [mostEnded, endedAtOnce] = [100, 5];
/** Milliseconds that turns without a client may still take when the server stops. */
const closingTime = 3_000;

/** The session, and where its visitor's request comes from. */
interface Owner extends IdleSession {
  readonly client?: ClientAddress | undefined;
}

/** Sends what happens in a turn to whoever listens. `isStored`: the turn was played before. */
type Emit = (event: StreamedEvent, isStored?: boolean) => void;

/**
 * Plays the sessions of visitors. A replica plays a turn while it holds the lease of the session's row, and stores the state
 * and the transcript by one statement that requires the lease. So any replica can play the next turn, and one that is killed
 * leaves the session as it was before the turn. No transaction is open while a model or a request takes its time.
 */
export class Sessions {
  readonly #runtime: SessionRuntime;
  readonly #log: Log;
  readonly #metrics: TurnMetrics | undefined;
  /** The turns of one session follow each other, in the order in which they came. */
  readonly #inOrder = new OneAtATime();
  /** The sessions of a project begin one after another, so that a crowd of them holds one connection to the database. */
  readonly #beginnings = new OneAtATime();
  /** Turns in progress. They go on if their clients leave. */
  readonly #open = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor({ runtime, log, metrics }: SessionsOptions) {
    this.#runtime = runtime;
    this.#log = log;
    this.#metrics = metrics;
  }

  /**
   * Plays the opening or a message, and yields what happens. A message that was played before yields the stored events.
   * The turn goes on if nobody reads them any more.
   * @throws ToolError for a token that came too late, a session that has ended, and a turn that failed; nothing is stored then
   */
  async *play(
    token: ArrivedToken,
    input: Exclude<TurnInput, { kind: 'end' }>,
    requestId: string,
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    for await (const { event } of this.#stream(token, input, requestId)) yield event;
  }

  async *#stream(
    token: ArrivedToken,
    input: Exclude<TurnInput, { kind: 'end' }>,
    requestId: string,
  ): AsyncGenerator<{ readonly event: StreamedEvent; readonly isStored: boolean }, void, undefined> {
    const events = new Readable({ objectMode: true, read: () => undefined });
    const { sessionId } = token.claims;
    const emit: Emit = (event, isStored = false) => void events.push({ event, isStored });
    const turn = this.#inOrder
      .run(sessionId, () => this.#play(ownerOf(token), token, input, requestId, emit))
      .catch((error: unknown) => void events.push({ failure: error }))
      .finally(() => {
        if (input.kind === 'speech') input.close();
        events.push(null);
        this.#open.delete(turn);
      });
    this.#open.add(turn);
    type Streamed = { readonly event: StreamedEvent; readonly isStored: boolean };
    for await (const next of events as AsyncIterable<Streamed | { readonly failure: unknown }>) {
      if ('failure' in next) throw next.failure;
      yield next;
    }
  }

  /**
   * Plays a recorded turn, or the opening, of a voice session, and yields each line with its speech. A line whose speech fails stays a text.
   * @throws as {@link play}, and ToolError `forbidden` for a chat
   */
  async *speak(
    token: ArrivedToken,
    input: Exclude<TurnInput, { kind: 'end' }>,
    requestId: string,
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    const { claims } = token;
    if (claims.channel !== 'voice')
      throw new ToolError('forbidden', 'This is a chat: it takes messages, and no recordings.');
    const { services } = this.#runtime;
    const stores = this.#runtime.stores(claims);
    const speech = speechOf(
      { services, stores, caller: claims },
      ownerOfDesign(claims),
      this.#closing.signal,
    );
    for await (const { event, isStored } of this.#stream(token, input, requestId)) {
      yield event;
      if (event.event !== 'say') continue;
      const text = String(event['text']);
      if (!(await this.#maySpeak(token, text, isStored))) continue;
      try {
        yield await speech(text);
      } catch (thrown) {
        const { cause, code } = toToolError(thrown);
        this.#log.warn({ requestId, code, err: cause ?? thrown }, 'a line was not spoken');
      }
    }
  }

  /**
   * Speaks a line for a voice worker, as samples.
   * @throws ToolError `forbidden` for another client, `rate_limited` if a limit on speech is used up, and what `Speak` throws
   */
  async say(token: ArrivedToken, text: string): Promise<Readable> {
    const { claims } = token;
    requireRoom(claims);
    if (!(await this.#maySpeak(token, text, true))) throw noSpeechLeft();
    const { services } = this.#runtime;
    const context = { services, stores: this.#runtime.stores(claims), caller: claims };
    return spokenSamples(context, ownerOfDesign(claims), text, this.#closing.signal);
  }

  /**
   * Understands a recording for a voice worker, before its turn. Returns an empty text if there are no words in it.
   * @throws ToolError as {@link say}, and what `Transcribe` throws
   */
  async transcribe(token: ArrivedToken, recording: Recording): Promise<string> {
    const { claims, client } = token;
    requireRoom(claims);
    const { services, spending } = this.#runtime;
    const { projectId, sessionId, webAgentId } = claims;
    const spender = { projectId, webAgentId, networks: this.#runtime.spendingNetworks(claims, client) };
    if (await spending.take(spender, { speech: 0 })) throw noSpeechLeft();
    let seconds = 0;
    const { signal } = this.#closing;
    const text = await transcribed({ services, caller: claims }, recording, signal, (spent) => {
      seconds += spent;
    });
    spending.add(spender, { speech: seconds });
    await this.#runtime.sessions(claims).spendSpeech(sessionId, seconds);
    return text ?? '';
  }

  /** Ends the session of a call whose caller has left, and whose worker cannot say so. One that has not begun needs no end. */
  async endCall(owner: IdleSession): Promise<void> {
    if (!(await this.#runtime.sessions(owner).standing(owner.sessionId))) return;
    const input = { kind: 'end', reason: 'hungUp' } as const;
    await this.#play(owner, undefined, input, randomUUID(), () => undefined);
  }

  /** Counts the speech of a line; false if a limit is used up. A new turn has counted its lines for the session already. */
  async #maySpeak({ claims, client }: ArrivedToken, text: string, isStored: boolean): Promise<boolean> {
    const { spending } = this.#runtime;
    const speech = secondsOfSpeech(text);
    if (isStored) {
      const inAll = await this.#runtime.sessions(claims).spendSpeech(claims.sessionId, speech);
      if (spending.ofSession({ turns: 0, calls: 0, tokens: 0, speech: inAll })) return false;
    }
    const { projectId, webAgentId } = claims;
    const networks = this.#runtime.spendingNetworks(claims, client);
    return (await spending.take({ projectId, webAgentId, networks }, { speech })) === undefined;
  }

  /** Returns the status, the step and the transcript of a session. */
  async show({ claims, isExpired }: OpenedToken): Promise<ShownSession> {
    const sessions = this.#runtime.sessions(claims);
    const [standing, turns] = await Promise.all([
      sessions.standing(claims.sessionId),
      sessions.turns(claims.sessionId),
    ]);
    if (!standing && isExpired) throw tooLate();
    const shown = turns.map(({ number, messageId, callerText, events }) => ({
      turn: number,
      messageId,
      text: callerText,
      events,
    }));
    return { ...standingOf(claims.sessionId, standing), turns: shown };
  }

  /** Ends a session for its visitor. One that has ended stays as it is. */
  async end(token: ArrivedToken, requestId: string): Promise<Omit<ShownSession, 'turns'>> {
    const { claims } = token;
    const { sessionId } = claims;
    const sessions = this.#runtime.sessions(claims);
    const standing = await sessions.standing(sessionId);
    if (!standing) throw token.isExpired ? tooLate() : notStarted();
    if (standing.endedAt === null)
      await this.#inOrder.run(sessionId, () =>
        this.#play(ownerOf(token), undefined, { kind: 'end', reason: 'hungUp' }, requestId, () => undefined),
      );
    return standingOf(sessionId, await sessions.standing(sessionId));
  }

  /** Ends the sessions of all projects in which nothing was said for a while, with their hooks. */
  async endIdle(): Promise<void> {
    await this.#runtime.endLostSessions();
    const idle = await this.#runtime.idleSessions(readableFormats, mostEnded);
    for (let next = 0; next < idle.length && !this.#closing.signal.aborted; next += endedAtOnce)
      await Promise.all(idle.slice(next, next + endedAtOnce).map((session) => this.#endIdle(session)));
  }

  /** Waits for turns whose clients have left, and cuts those that take too long: their sessions stay as they were. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.#open), delay(closingTime, undefined, { ref: false })]);
    this.#closing.abort(new ToolError('internal_error', 'The server stops.', { retryAfter: 1 }));
    await Promise.all(this.#open);
  }

  async #endIdle(session: IdleSession): Promise<void> {
    const requestId = randomUUID();
    try {
      const input = { kind: 'end', reason: 'idle' } as const;
      await this.#play(session, undefined, input, requestId, () => undefined);
    } catch (thrown) {
      const { cause, code } = toToolError(thrown);
      this.#log.error({ ...session, requestId, code, err: cause ?? thrown }, 'an idle session did not end');
    }
  }

  /**
   * Begins a session with its first request, or anew if it was evicted before its visitor spoke.
   * @throws ToolError `rate_limited` for a flood, and if there is no room; `unauthorized` for a token that came too late
   */
  async #begin(sessions: SessionStore, token: ArrivedToken | undefined): Promise<void> {
    if (!token) throw notStarted();
    if (token.isExpired) throw tooLate();
    const { claims, client } = token;
    const { refusal } = await this.#runtime.admitStart(claims, client);
    if (refusal) throw refusal;
    const { projectId, sessionId: id, conversationId, flowId = null, version, webAgentId, channel } = claims;
    const addresses = this.#runtime.addressHashes(claims, client);
    const session = { id, conversationId, flowId, version, webAgentId, channel };
    const { openSessions } = this.#runtime;
    const hasBegun = await this.#beginnings.run(projectId, () =>
      sessions.begin(session, addresses, openSessions),
    );
    if (hasBegun || (await sessions.standing(id))) return;
    throw tooManyAtOnce(
      'openSessions',
      undefined,
      'Too many conversations are open at the moment. Try again later.',
      60,
    );
  }

  /** Takes the session's lease, and plays. Waits for the turn of another replica. */
  async #play(
    owner: Owner,
    token: ArrivedToken | undefined,
    input: TurnInput,
    requestId: string,
    emit: Emit,
  ): Promise<void> {
    const { sessionId } = owner;
    const sessions = this.#runtime.sessions(owner);
    const until = performance.now() + longestWait;
    for (let pause = firstPause; ; ) {
      const lease = randomUUID();
      const taken = await sessions.take(sessionId, lease, turnNameOf(input));
      if (taken) {
        const next = await this.#leased(owner, taken, lease, input, requestId, emit, token?.claims);
        if (next === 'over') return;
        continue;
      }
      const standing = await sessions.standing(sessionId);
      if (!standing) {
        await this.#begin(sessions, token);
        continue;
      }
      if (standing.projectStatus !== 'active') throw notActive(standing);
      if (standing.endedAt !== null) {
        if (input.kind === 'end') return;
        const name = turnNameOf(input);
        const stored = name && (await sessions.turn(sessionId, name));
        if (!stored) throw hasEnded(standing);
        replay(stored, emit);
        return;
      }
      if (performance.now() > until)
        throw new ToolError('in_use', 'Another message of this session is still being answered.', {
          retryAfter: 5,
        });
      this.#closing.signal.throwIfAborted();
      await delay(pause);
      pause = Math.min(2 * pause, longestPause);
    }
  }

  /** Plays a turn of a session whose lease was taken, unless it is stored already. A message first plays the opening. */
  async #leased(
    owner: Owner,
    { session, version, stored }: TakenSession,
    lease: string,
    input: TurnInput,
    requestId: string,
    emit: Emit,
    claims?: SessionClaims,
  ): Promise<'over' | 'again'> {
    const { id } = session;
    const sessions = this.#runtime.sessions(owner);
    const isOpening = session.played === 0;
    if (stored || !isPlayable(session, input)) {
      await sessions.release(id, lease);
      if (stored) replay(stored, emit);
      else if (input.kind !== 'end') throw hasEnded({});
      return 'over';
    }
    const began = performance.now();
    this.#metrics?.turnBegins();
    const spent = { calls: 0, tokens: 0, speech: 0 };
    let outcome: 'stored' | 'failed' = 'failed';
    try {
      const next = isOpening ? ({ kind: 'start' } as const) : input;
      const number = await this.#held(sessions, id, lease, async (signal) => {
        const stores = this.#runtime.stores(owner);
        const { services } = this.#runtime;
        const { projectId } = owner;
        const design = await designOf(stores, session, version);
        const networks = this.#runtime.spendingNetworks(owner, owner.client);
        const spender = { projectId, webAgentId: session.webAgentId, networks };
        const spending = new TurnSpending(this.#runtime.spending, spender, session, spent);
        const isSpoken = input.kind === 'speech';
        const about = { projectId, requestId, services, stores, sessions };
        const context = { ...about, spending, spent, isSpoken, ...callIn(claims), signal, emit };
        const { turn, progress, reached } = await playTurn(context, design, session, next);
        signal.throwIfAborted();
        const stored = await sessions.store(id, lease, turn, progress);
        if (reached && stored !== undefined) this.#report(owner, session, requestId, reached);
        return stored;
      });
      if (number === undefined) throw lostLease();
      outcome = 'stored';
      emit({ event: 'done', turn: number });
      return isOpening && input.kind !== 'start' ? 'again' : 'over';
    } catch (error) {
      await this.#release(sessions, id, lease, error, spent);
      throw error;
    } finally {
      this.#metrics?.turnEnds({ outcome, began });
    }
  }

  /** Tells the operator that a session has reached a limit. */
  #report(
    { projectId, sessionId }: Owner,
    { webAgentId }: LeasedSession,
    requestId: string,
    limit: ReachedLimit,
  ): void {
    this.#metrics?.limitReached(limit);
    this.#log.warn({ projectId, webAgentId, sessionId, requestId, limit }, 'a session has reached a limit');
  }

  /** Renews a lease while the work takes its time. The signal aborts if the lease is lost. */
  async #held<Result>(
    sessions: SessionStore,
    id: string,
    lease: string,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const lost = new AbortController();
    const timer = setInterval(() => {
      sessions.renew(id, lease).then(
        (isOurs) => isOurs || lost.abort(lostLease()),
        // The statement that stores the turn requires the lease, so that a failed renewal does no harm.
        (err: unknown) => this.#log.warn({ err }, 'the lease of a session was not renewed'),
      );
    }, leaseRenewal);
    const limit = AbortSignal.timeout(longestTurn);
    const signal = AbortSignal.any([lost.signal, this.#closing.signal, limit]);
    try {
      return await work(signal);
    } catch (error) {
      if (error === limit.reason) throw tookTooLong();
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  /** Gives a lease back after a failure. If that fails too, others take it over in some seconds. */
  async #release(
    sessions: SessionStore,
    id: string,
    lease: string,
    reason: unknown,
    spent?: SessionSpending,
  ): Promise<void> {
    await sessions
      .release(id, lease, spent)
      .catch((err: unknown) => this.#log.warn({ err, reason }, 'the lease of a session was not given back'));
  }
}

/**
 * The design that a session is played with. That of a flow is compiled, or was compiled before.
 * @throws ToolError as `designIn` and `readPlayable` do
 */
async function designOf(
  stores: Stores,
  { conversationId, flowId, version }: LeasedSession,
  found: TakenSession['version'],
): Promise<Design> {
  if (flowId !== null) return (await readPlayable(stores, flowId, version)).design;
  return designIn(found, conversationId ?? '', version);
}

/** What the token of a voice worker says of its call. */
function callIn(claims: SessionClaims | undefined) {
  return { caller: claims?.phone, isInRoom: claims?.room !== undefined };
}

function ownerOf({ claims: { projectId, sessionId }, client }: ArrivedToken): Owner {
  return { projectId, sessionId, client };
}

/** The turn that this input leads to, or has led to before. */
function turnNameOf(input: TurnInput): TurnName | undefined {
  if (input.kind === 'start') return 'opening';
  return 'messageId' in input ? input : undefined;
}

function replay({ number, events }: StoredTurn, emit: Emit): void {
  for (const event of events) emit(event, true);
  emit({ event: 'done', turn: number }, true);
}

/** False for the copy of a session from an archive, and for an idle session whose visitor has come back. */
function isPlayable({ played, state, activeAt, now }: LeasedSession, input: TurnInput): boolean {
  if (input.kind !== 'end') return played === 0 || state !== null;
  const isIdle = now.getTime() - activeAt.getTime() >= idleMinutes * 60_000;
  return state !== null && (input.reason === 'hungUp' || isIdle);
}

function standingOf(id: string, standing: SessionStanding | undefined): Omit<ShownSession, 'turns'> {
  if (!standing) return { id, status: 'waiting', step: null, reason: null };
  const { endedAt, lastStep: step, reason } = standing;
  return { id, status: endedAt === null ? 'open' : 'ended', step, reason };
}

function hasEnded(session: { readonly reason?: string | null }): ToolError {
  const { reason = 'lost' } = session;
  return new ToolError('not_found', `The session has ended (${reason}). Start another one.`, {
    details: { reason },
  });
}

/** What costs speech without a turn is for voice workers: a visitor's page has no use for it. */
function requireRoom({ room }: OpenedToken['claims']): void {
  if (room === undefined)
    throw new ToolError('forbidden', 'Only the session of a voice worker in a room takes this.');
}

function noSpeechLeft(): ToolError {
  return new ToolError('rate_limited', 'A limit on seconds of speech is reached.', { retryAfter: 60 });
}

function notStarted(): ToolError {
  return new ToolError('not_found', 'The session has not started.');
}

/** 401 for a token that is right: it says what to do, because its visitor may have waited too long. */
function tooLate(): ToolError {
  return new ToolError('unauthorized', 'The time to start this session is over. Start another one.');
}

function notActive({ projectStatus }: SessionStanding): ToolError {
  return new ToolError('forbidden', `The project is ${projectStatus}, which rules out conversations.`);
}

function lostLease(): ToolError {
  return new ToolError('internal_error', 'The turn was not stored.', { retryAfter: 1 });
}

function tookTooLong(): ToolError {
  return new ToolError('internal_error', `The turn took longer than ${longestTurn / 1000} s.`, {
    status: 502,
    retryAfter: 1,
  });
}
