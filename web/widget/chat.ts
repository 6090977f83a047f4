import {
  type Address,
  ConnectionLost,
  endSession,
  type Message,
  playTurn,
  Refusal,
  readSession,
  type Start,
  startSession,
  type TurnEvent,
} from './api.ts';
import type { Memory } from './memory.ts';
import { Pause } from './pause.ts';
import type { Speaker } from './speaker.ts';

/** One turn: what the visitor wrote or said, and what the agent said to it. */
export interface Turn {
  /** Null for the opening, and for a turn that nobody's message caused. */
  readonly messageId: string | null;
  readonly text: string | null;
  /** What the visitor said; the event `heard` has its text. */
  readonly recording?: Blob;
  events: TurnEvent[];
  /** True once the server has stored it. */
  isStored: boolean;
}

/** Why no session starts. Each is a text of `languages.ts`. */
export type Obstacle = 'wrongKey' | 'wrongAgent' | 'wrongOrigin' | 'disabled' | 'unavailable' | 'failed';

/** What keeps the chat from going on for the moment. Each is a text of `languages.ts`. */
export type Trouble = 'offline' | 'reconnecting' | 'unreachable' | 'tooFast';

export type Phase =
  | { readonly name: 'unopened' | 'connecting' | 'open' }
  | { readonly name: 'stopped'; readonly obstacle: Obstacle }
  | { readonly name: 'ended'; readonly reason: string };

/** What happens in a chat, for the page. */
export interface ChatEvents {
  start: Record<string, never>;
  message: { readonly from: 'visitor' | 'agent'; readonly text: string };
  transfer: { readonly kind: string; readonly value: string; readonly handedOver: boolean };
  end: { readonly reason: string };
  error: { readonly reason: Obstacle; readonly message: string };
}

export type Emit = <Name extends keyof ChatEvents>(name: Name, detail: ChatEvents[Name]) => void;

/** Failures of the server itself in a row, after which the visitor decides whether to try again. */
const mostFailures = 5;
/** The reason of a session that the server no longer knows, or whose token it no longer accepts. */
export const expired = 'expired';

/**
 * A conversation with a web agent. It sends one message at a time. A message whose turn the server has not confirmed is
 * sent again with the same id, which the server processes once; what the broken turn has shown is replaced.
 */
export class Chat {
  turns: Turn[] = [];
  phase: Phase = { name: 'unopened' };
  trouble: Trouble | undefined;
  readonly #start: Start;
  readonly #memory: Memory;
  readonly #speaker: Speaker;
  readonly #changed: () => void;
  readonly #emit: Emit;
  #pause = new Pause();

  constructor(start: Start, memory: Memory, speaker: Speaker, changed: () => void, emit: Emit) {
    this.#start = start;
    this.#memory = memory;
    this.#speaker = speaker;
    this.#changed = changed;
    this.#emit = emit;
  }

  /** True while the agent's turn is not complete. */
  get isBusy(): boolean {
    return this.phase.name === 'connecting' || (this.phase.name === 'open' && this.#next() !== undefined);
  }

  /** True if the visitor may speak now. */
  get canSpeak(): boolean {
    return this.phase.name === 'open' && this.#memory.remembered.address?.speaks === true;
  }

  /** Continues the session of this tab, or starts one. Does nothing if that has happened. */
  begin(): void {
    if (this.phase.name !== 'unopened' && this.phase.name !== 'stopped') return;
    if (this.turns.length === 0)
      this.turns = [
        openingTurn(),
        ...this.#memory.remembered.unsent.map(({ messageId, text }) => turnOf(messageId, text)),
      ];
    this.#run();
  }

  /** Leaves an ended session behind and starts another. Returns the text that the ended one has not processed. */
  startAgain(): string {
    const unsent = this.#memory.remembered.unsent.map(({ text }) => text).join('\n');
    this.#leave();
    this.turns = [];
    this.phase = { name: 'unopened' };
    this.begin();
    return unsent;
  }

  /** Sends a message after those that wait. */
  send(text: string): void {
    this.#emit('message', { from: 'visitor', text });
    this.#add(turnOf(newMessageId(), text));
  }

  /** Sends a recording after what waits. It is lost if the page goes before the server has it. */
  sendRecording(recording: Blob): void {
    this.#add({ ...turnOf(newMessageId(), null), recording });
  }

  #add(turn: Turn): void {
    this.#speaker.stop();
    this.turns.push(turn);
    this.#rememberUnsent();
    this.#changed();
    const isIdle = this.turns.filter(({ isStored }) => !isStored).length === 1;
    if (this.phase.name === 'open' && isIdle) this.#run();
  }

  /** Does not wait for the next attempt to reconnect. */
  retryNow(): void {
    if (this.phase.name === 'stopped') this.begin();
    else this.#pause.end();
  }

  /** Ends the session for the visitor at once, and tells the server. */
  async end(): Promise<void> {
    const { address } = this.#memory.remembered;
    if (this.phase.name === 'ended' || !address) return;
    this.#pause.cancel();
    this.#pause = new Pause();
    this.#speaker.stop();
    this.turns = this.turns.filter(({ isStored }) => isStored);
    this.#rememberUnsent();
    this.#endWith('hungUp');
    const { signal } = this.#pause;
    try {
      await this.#untilConnected(() => endSession(address, signal), signal);
    } catch (error) {
      // A session that has ended already, or that is gone, needs no end.
      if (!(error instanceof Refusal || signal.aborted)) throw error;
    }
  }

  /** Connects, and plays what the server has not stored, until nothing is left. */
  #run(): void {
    this.#pause.cancel();
    this.#pause = new Pause();
    const { signal } = this.#pause;
    this.#play(signal).catch((error: unknown) => {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      this.#refused(error);
    });
  }

  async #play(signal: AbortSignal): Promise<void> {
    const { address: known } = this.#memory.remembered;
    if (this.phase.name !== 'open') this.#enter({ name: 'connecting' });
    const address = known ?? (await this.#untilConnected(() => startSession(this.#start, signal), signal));
    signal.throwIfAborted();
    if (this.phase.name !== 'open') {
      if (known) await this.#catchUp(known, signal);
      else {
        this.#memory.update({ address });
        this.#emit('start', {});
      }
      if (this.#isEnded()) return;
      this.#enter({ name: 'open' });
    }
    for (let turn = this.#next(); turn && !this.#isEnded(); turn = this.#next())
      await this.#playTurn(address, turn, signal);
    this.#changed();
  }

  /** Shows what the server has stored of the session, and keeps what it has not. */
  async #catchUp(address: Address, signal: AbortSignal): Promise<void> {
    const { status, reason, turns } = await this.#untilConnected(() => readSession(address, signal), signal);
    signal.throwIfAborted();
    const stored = new Set(turns.map(({ messageId }) => messageId));
    const waiting = this.turns.filter(({ messageId, isStored }) => !isStored && !stored.has(messageId));
    this.turns = [
      ...turns.map(({ messageId, text, events }) => ({
        messageId,
        // The event says what was heard.
        text: events.some(({ event }) => event === 'heard') ? null : text,
        events: [...events],
        isStored: true,
      })),
      ...waiting,
    ];
    if (status === 'ended') this.#endWith(reason ?? 'completed');
    this.#rememberUnsent();
  }

  async #playTurn(address: Address, turn: Turn, signal: AbortSignal): Promise<void> {
    const message = messageOf(turn);
    await this.#untilConnected(async () => {
      // What an attempt that broke off has shown stays until this one shows something.
      const events: TurnEvent[] = [];
      this.#speaker.stop();
      for await (const event of playTurn(address, message, signal)) {
        if (event.event === 'audio') this.#speaker.speak(event.data);
        else events.push(event);
        turn.events = events;
        this.trouble = undefined;
        this.#changed();
      }
      turn.events = events;
    }, signal);
    turn.isStored = true;
    this.#rememberUnsent();
    for (const event of turn.events) {
      if (event.event === 'heard' && event.text !== '')
        this.#emit('message', { from: 'visitor', text: event.text });
      if (event.event === 'say') this.#emit('message', { from: 'agent', text: event.text });
      if (event.event === 'transfer') {
        const { kind, value, handedOver } = event;
        this.#emit('transfer', { kind, value, handedOver });
      }
      if (event.event === 'end') this.#endWith(event.reason);
    }
    this.#changed();
  }

  /**
   * Repeats a request until the server has processed it: as long as the connection or the server is gone, and a few times
   * if the server fails.
   */
  async #untilConnected<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    let failures = 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const value = await work();
        this.trouble = undefined;
        return value;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Refusal && error.status >= 500) failures += 1;
        const trouble = troubleOf(error);
        if (!trouble || failures >= mostFailures) throw error;
        const isFirst = trouble === 'reconnecting' && this.#memory.remembered.address === undefined;
        this.trouble = isFirst ? 'unreachable' : trouble;
        this.#changed();
        await this.#pause.wait(attempt, error instanceof Refusal ? error.wait : undefined);
      }
    }
  }

  #refused(error: Refusal): void {
    const { status, reason } = error;
    this.trouble = undefined;
    const hasSession = this.#memory.remembered.address !== undefined;
    if (hasSession && status === 404 && reason !== undefined) this.#endWith(reason);
    else if (hasSession && (status === 401 || status === 404)) this.#endWith(expired);
    else {
      const obstacle = hasSession && status !== 403 ? 'failed' : obstacleOf(error);
      this.#enter({ name: 'stopped', obstacle });
      this.#emit('error', { reason: obstacle, message: error.message });
    }
  }

  #next(): Turn | undefined {
    return this.turns.find(({ isStored }) => !isStored);
  }

  // A method, because the compiler does not see that calls change the phase.
  #isEnded(): boolean {
    return this.phase.name === 'ended';
  }

  #endWith(reason: string): void {
    this.#enter({ name: 'ended', reason });
    this.#emit('end', { reason });
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.trouble = undefined;
    this.#changed();
  }

  #leave(): void {
    this.#pause.cancel();
    this.#memory.update({ address: undefined, unsent: [] });
  }

  #rememberUnsent(): void {
    const unsent = this.turns.flatMap(({ messageId, text, isStored }) =>
      isStored || messageId === null || text === null ? [] : [{ messageId, text }],
    );
    this.#memory.update({ unsent });
  }
}

function openingTurn(): Turn {
  return { messageId: null, text: null, events: [], isStored: false };
}

function turnOf(messageId: string, text: string | null): Turn {
  return { messageId, text, events: [], isStored: false };
}

function messageOf({ messageId, text, recording }: Turn): Message {
  if (messageId === null) return { start: true };
  return recording ? { messageId, recording } : { messageId, text: text ?? '' };
}

/** Returns a random id. `crypto.randomUUID` does not exist on pages without TLS. */
function newMessageId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Returns why a request may be sent again, or undefined if it may not. */
function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof ConnectionLost) return navigator.onLine ? 'reconnecting' : 'offline';
  if (!(error instanceof Refusal)) return undefined;
  if (error.status === 429) return 'tooFast';
  // 409: the server still plays an earlier turn.
  return error.status >= 500 || error.status === 409 ? 'reconnecting' : undefined;
}

const obstacles: Readonly<Record<string, Obstacle>> = { origin: 'wrongOrigin', disabled: 'disabled' };

function obstacleOf({ status, reason = '' }: Refusal): Obstacle {
  if (status === 401) return 'wrongKey';
  if (status === 403) return obstacles[reason] ?? 'unavailable';
  return status === 400 || status === 404 ? 'wrongAgent' : 'failed';
}
