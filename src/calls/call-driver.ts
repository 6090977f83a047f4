import type { Design } from '../design/schema/design.ts';
import {
  type CallEvent,
  type CallLimit,
  type CallState,
  type Effect,
  type Happening,
  mostMoves,
  mostReadings,
  mostTurns,
  type Outcome,
  type OutwardEffect,
  type PendingEffect,
  type Position,
  type SearchEffect,
  type TransferEffect,
  type UnderstandEffect,
  type Understood,
} from './call-state.ts';
import { begin, isOver, proceed } from './engine.ts';
import type { Json } from './json-value.ts';
import type { HttpRequest } from './requests.ts';
import type { CalendarWish } from './slots.ts';

/** Who has understood a turn. `script`: the script of a simulation. */
export type Reader = 'rule' | 'script' | 'model';

/** A line that the agent or the caller has said. */
export interface TranscriptLine {
  readonly who: 'agent' | 'caller';
  readonly text: string;
  readonly step: string;
  /** What a turn of the caller was taken for. */
  readonly understood?: Understood;
  readonly understoodBy?: Reader;
}

/** A step or hook node that the call has been at. */
export interface PathEntry extends Position {
  /** null: the call is still here, or it ended here. */
  readonly exit: string | null;
  readonly why: string | null;
}

/** What a hook node requests, as it would be sent. `{{secret.NAME}}` stays as it is. */
export type CallRequest = {
  readonly node: string;
  /** A simulation has `mocked` requests, and `unmocked` ones, which are not sent and count as failed. */
  readonly result: 'sent' | 'failed' | 'mocked' | 'unmocked';
} & (
  | HttpRequest
  | { readonly block: 'sendSms'; readonly to: string; readonly message: string }
  | {
      readonly block: 'crmLookup';
      readonly integration: string;
      readonly phone?: string;
      readonly email?: string;
    }
  | {
      readonly block: 'crmWrite';
      readonly integration: string;
      readonly contact: string;
      readonly operations: Json;
    }
  | {
      readonly block: 'calendar';
      readonly integration: string;
      readonly action: CalendarWish['action'];
      readonly day?: string | undefined;
      readonly time?: string | undefined;
      readonly name?: string;
      readonly phone?: string;
      readonly email?: string;
      readonly booking?: string;
    }
);

/** What came of an effect that somebody performed. */
export type EffectOutcome = { readonly result: Json } | { readonly failed: string };

/** What a listener follows while a call is played. */
export type Followed =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'say'; readonly text: string; readonly step: string };

type Follow = (followed: Followed) => void;

const limitNotes: Readonly<Record<Exclude<CallLimit, 'given'>, string>> = {
  turns: `The call reached its limit of ${mostTurns} turns.`,
  moves: `The call reached its limit of ${mostMoves} steps and nodes without a turn of the caller.`,
  readings: `The call reached its limit of ${mostReadings} questions to a model without a turn of the caller: its steps lead to each other.`,
};

/** Places that one driver may pass, and characters that may be spoken: it holds them in memory. */
const longestPath = 5_000;
const longestTranscript = 200_000;

type StartedEvent = Extract<CallEvent, { type: 'started' }>;
type LaterEvent = Exclude<CallEvent, StartedEvent>;

/**
 * Drives one call of a design: tells the engine what the caller does, and writes down what happens. The call goes on until it
 * listens, is over, or waits for an effect (`pending`). Whoever drives the call performs that effect in its own time, and
 * reports the outcome with the method that fits its kind.
 */
export class CallDriver {
  readonly #design: Design;
  readonly #follow: Follow;
  readonly #transcript: TranscriptLine[] = [];
  readonly #path: PathEntry[] = [];
  readonly #requests: CallRequest[] = [];
  readonly #notes: string[] = [];
  readonly #understood: Understood[][] = [[]];
  #state: CallState;
  #limit: CallLimit | undefined;
  #spoken = 0;
  #pending: PendingEffect | undefined;

  private constructor(design: Design, state: CallState, follow: Follow) {
    this.#design = design;
    this.#state = state;
    this.#follow = follow;
  }

  /** Starts a call. `follow` gets what happens as soon as it happens. */
  static start(
    design: Design,
    call: Omit<StartedEvent, 'type'>,
    follow: Follow = () => undefined,
  ): CallDriver {
    const outcome = begin(design, { type: 'started', ...call });
    const driver = new CallDriver(design, outcome.state, follow);
    driver.#take(outcome);
    return driver;
  }

  /** Goes on with a call that listens. `follow` gets what happens as soon as it happens. */
  static resume(design: Design, state: CallState, follow: Follow = () => undefined): CallDriver {
    const driver = new CallDriver(design, state, follow);
    if (state.position) driver.#path.push({ ...state.position, exit: null, why: null });
    return driver;
  }

  /** What has to be performed before the call goes on. */
  get pending(): PendingEffect | undefined {
    return this.#pending;
  }

  get state(): CallState {
    return this.#state;
  }

  /** True if no further turn can be played. */
  get isDone(): boolean {
    return isOver(this.#state) || this.isTooLong;
  }

  /** True if the call holds more than a driver keeps in memory. */
  get isTooLong(): boolean {
    return this.#path.length >= longestPath || this.#spoken >= longestTranscript;
  }

  /** The limit that the call has reached. */
  get limit(): CallLimit | undefined {
    return this.#limit;
  }

  /** What was understood before the caller's first turn, then after each turn. */
  get understood(): readonly (readonly Understood[])[] {
    return this.#understood;
  }

  /** What was said so far. */
  get transcript(): readonly TranscriptLine[] {
    return this.#transcript;
  }

  get path(): readonly PathEntry[] {
    return this.#path;
  }

  get requests(): readonly CallRequest[] {
    return this.#requests;
  }

  /** What failed or was empty on the way. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Adds a note about the call. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** Plays a turn of the caller, `seconds` after the call started. null: the caller says nothing. */
  hear(text: string | null, seconds: number): void {
    this.#beginTurn();
    this.#send(text === null ? { type: 'silent', seconds } : { type: 'heard', text, seconds });
  }

  /** Plays a turn in which the caller presses keys, `seconds` after the call started. */
  press(digits: string, seconds: number): void {
    this.#beginTurn();
    this.#send({ type: 'keyed', digits, seconds });
  }

  /** Plays the end of a call whose caller hangs up, `seconds` after it started. */
  hangUp(seconds: number): void {
    this.#beginTurn();
    this.#send({ type: 'hungUp', seconds });
  }

  /** Ends the call at a limit of the driver's client. `text` and `seconds` as for {@link hear}. */
  stop(text: string | null, seconds: number): void {
    this.#beginTurn();
    this.#send({ type: 'limited', text, seconds });
  }

  /** Goes on with what a reader has understood, and writes it down next to the turn, for the step that heard it. */
  understand(understood: Understood, by: Reader): void {
    const effect = this.#performed(isUnderstandEffect);
    this.#understood.at(-1)?.push(understood);
    const index = this.#transcript.findLastIndex(({ who }) => who === 'caller');
    const line = this.#transcript[index];
    if (line && !line.understood && effect.reads !== 'message' && effect.reads !== 'values')
      this.#transcript[index] = { ...line, understood, understoodBy: by };
    this.#finish(effect, { result: understood as Json });
  }

  /** Goes on with the passages that a search has found, by knowledge base. */
  finishSearch(passages: ReadonlyMap<string, readonly string[]>): void {
    const effect = this.#performed(isSearchEffect);
    this.#finish(effect, { result: effect.knowledgeIds.flatMap((id) => passages.get(id) ?? []) });
  }

  /** Goes on with what came of an effect that leaves Parley. `mock`: what a simulation did instead of sending it. */
  finishRequest(outcome: EffectOutcome, mock?: 'mocked' | 'unmocked'): void {
    const effect = this.#performed(isOutwardEffect);
    const result = mock ?? ('failed' in outcome ? 'failed' : 'sent');
    this.#requests.push({ ...requestOf(effect), node: effect.node, result });
    this.#finish(effect, outcome);
  }

  /** Goes on after a transfer. */
  finishTransfer(outcome: EffectOutcome): void {
    this.#finish(this.#performed(isTransferEffect), outcome);
  }

  /** Goes on with what came of a transfer that a turn before this driver has begun. */
  reportTransfer(outcome: EffectOutcome): void {
    const { waiting } = this.#state;
    if (waiting?.for !== 'effect') throw new TypeError('the call waits for no effect');
    this.#beginTurn();
    this.#finish(waiting, outcome);
  }

  #beginTurn(): void {
    this.#understood.push([]);
  }

  /** The effect that the call has waited for. */
  #performed<Kind extends PendingEffect>(isOfKind: (effect: PendingEffect) => effect is Kind): Kind {
    const effect = this.#pending;
    if (!effect || !isOfKind(effect))
      throw new TypeError(`the call waits for ${effect?.kind ?? 'no effect'}`);
    this.#pending = undefined;
    return effect;
  }

  #finish({ id }: Pick<PendingEffect, 'id'>, outcome: EffectOutcome): void {
    this.#send(
      'failed' in outcome
        ? { type: 'failed', id, reason: outcome.failed }
        : { type: 'finished', id, result: outcome.result },
    );
  }

  #send(event: LaterEvent): void {
    this.#take(proceed(this.#design, this.#state, event));
  }

  /** Takes what the engine has returned. */
  #take({ effects, happenings, state }: Outcome): void {
    this.#state = state;
    this.#pending = undefined;
    for (const happening of happenings) this.#record(happening);
    for (const effect of effects) this.#takeEffect(effect);
  }

  #record(happening: Happening): void {
    switch (happening.kind) {
      case 'enters':
        this.#path.push({ ...happening.position, exit: null, why: null });
        if (happening.position.at === 'step') this.#follow({ kind: 'step', step: happening.position.id });
        break;
      case 'leaves': {
        const { position, exit, why } = happening;
        this.#path[this.#path.length - 1] = { ...position, exit, why };
        break;
      }
      case 'heard':
        this.#write({ who: 'caller', text: happening.text, step: happening.step });
        break;
      case 'misses':
        this.note(`{{${happening.name}}} has no value at ${happening.position.id}`);
        break;
      case 'fails':
        this.note(`${happening.what} at ${happening.position.id} failed: ${happening.reason}`);
        break;
      case 'limited':
        this.#limit = happening.limit;
        // Whoever has set the other limit has said why.
        if (happening.limit !== 'given') this.note(limitNotes[happening.limit]);
        break;
      case 'commanded':
      case 'ends':
      case 'sets':
        break;
    }
  }

  #takeEffect(effect: Effect): void {
    switch (effect.kind) {
      case 'say':
        this.#write({ who: 'agent', text: effect.text, step: effect.step });
        this.#follow({ kind: 'say', text: effect.text, step: effect.step });
        break;
      case 'listen':
      case 'end':
        break;
      case 'understand':
      case 'search':
      case 'transfer':
      case 'request':
      case 'sms':
      case 'crmLookup':
      case 'crmWrite':
      case 'calendar':
        // A call waits for at most one effect.
        this.#pending = effect;
    }
  }

  #write(line: TranscriptLine): void {
    this.#transcript.push(line);
    this.#spoken += line.text.length;
  }
}

function isUnderstandEffect(effect: PendingEffect): effect is UnderstandEffect {
  return effect.kind === 'understand';
}

function isSearchEffect(effect: PendingEffect): effect is SearchEffect {
  return effect.kind === 'search';
}

function isTransferEffect(effect: PendingEffect): effect is TransferEffect {
  return effect.kind === 'transfer';
}

function isOutwardEffect(effect: PendingEffect): effect is OutwardEffect {
  return !isUnderstandEffect(effect) && !isSearchEffect(effect) && !isTransferEffect(effect);
}

/** An outward effect as the request that a design makes. */
function requestOf(effect: OutwardEffect) {
  switch (effect.kind) {
    case 'request': {
      const { kind: _, id: __, outline: ___, ...request } = effect;
      return request;
    }
    case 'sms':
      return { block: 'sendSms', to: effect.to, message: effect.message } as const;
    case 'crmLookup': {
      const { kind: block, id: _, ...request } = effect;
      return { block, ...request };
    }
    case 'crmWrite': {
      const { kind: block, id: _, ...request } = effect;
      return { block, ...request };
    }
    case 'calendar': {
      const { kind: block, integration, action, day, time, name, phone, email, booking } = effect;
      return {
        block,
        integration,
        action,
        ...(day !== undefined && { day }),
        ...(time !== undefined && { time }),
        ...(name !== undefined && { name }),
        ...(phone !== undefined && { phone }),
        ...(email !== undefined && { email }),
        ...(booking !== undefined && { booking }),
      };
    }
  }
}
