import type { Design } from '../design/schema/design.ts';
import {
  type CallEvent,
  type CallLimit,
  type CallState,
  type Effect,
  type EndReason,
  type Happening,
  mostMoves,
  mostReadings,
  mostTurns,
  type Outcome,
  type Position,
  type SystemValues,
  type Understood,
} from './call-state.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { begin, isOver, proceed } from './engine.ts';
import type { Json } from './json-value.ts';
import { readByRule } from './reader.ts';
import type { HttpRequest, HttpResponse } from './requests.ts';
import { inOnePiece, type Steps } from './steps.ts';

/**
 * One turn of a scripted caller. `understood` says what the turn means, so that nothing has to read it. A list serves what
 * is read one after the other before the caller's next turn, such as a collect and the route behind it.
 */
export type ScriptedTurn =
  | { readonly text: string; readonly understood?: Understood | readonly Understood[] | undefined }
  | { readonly silent: true }
  | { readonly hangUp: true };

/** What a mock returns for a hook node, a knowledge base or a transfer. */
export type Mock = { readonly status: number; readonly body: string } | { readonly fail: string };

/** How a simulation is played. */
export interface Simulation {
  readonly script: readonly ScriptedTurn[];
  readonly channel: string;
  readonly system: SystemValues;
  readonly variables?: Readonly<Record<string, Json>> | undefined;
  /** By the id of a hook node. */
  readonly requests?: Readonly<Record<string, Mock>> | undefined;
  /** The contact that a CRM finds, by the id of a hook node; null: none. */
  readonly contacts?: Readonly<Record<string, Readonly<Record<string, Json>> | null>> | undefined;
  /** Passages, by the id of a knowledge base. */
  readonly passages?: Readonly<Record<string, readonly string[]>> | undefined;
  /** True if transfers succeed; default true. By the id of a step if they differ. */
  readonly transfers?: boolean | Readonly<Record<string, boolean>> | undefined;
  /** What is understood, or written by a model, before the caller's first turn. */
  readonly opening?: readonly Understood[] | undefined;
  /** True if what has no mock waits for somebody who performs it (`Player.outward`), instead of failing. */
  readonly live?: boolean | undefined;
  /** True if a search without a mock waits for somebody who searches (`Player.searching`), instead of finding nothing. */
  readonly searches?: boolean | undefined;
  /** True if a transfer waits for somebody who hands the call over (`Player.transferring`), instead of taking `transfers`. */
  readonly handsOver?: boolean | undefined;
  /** Goes on with this call, which has to listen, instead of starting one. */
  readonly from?: CallState | undefined;
}

/** Who has understood a turn. */
export type Reader = 'rule' | 'script' | 'model';

export interface TranscriptLine {
  readonly who: 'agent' | 'caller';
  readonly text: string;
  readonly step: string;
  /** What a turn of the caller was taken for. */
  readonly understood?: Understood;
  readonly understoodBy?: Reader;
}

export interface PathEntry extends Position {
  /** null: the call is still here, or it ended here. */
  readonly exit: string | null;
  readonly why: string | null;
}

/** What a hook node requests, as it would be sent. `{{secret.NAME}}` stays as it is. */
export type SimulatedRequest = {
  readonly node: string;
  /** `unmocked`: not sent, and taken as failed. */
  readonly result: 'mocked' | 'sent' | 'failed' | 'unmocked';
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
);

/** Two equal runs give the same JSON, byte for byte. */
export interface SimulationRun {
  /** null: the call still listens when the script is over. */
  readonly ended: { readonly reason: EndReason; readonly step: string | null } | null;
  readonly transcript: readonly TranscriptLine[];
  readonly path: readonly PathEntry[];
  readonly requests: readonly SimulatedRequest[];
  readonly variables: Readonly<Record<string, Json>>;
  /** What failed or was empty on the way. */
  readonly notes: readonly string[];
  readonly coverage: Coverage;
  /** What was understood before the caller's first turn, then after each turn of the script. */
  readonly understood: readonly (readonly Understood[])[];
  readonly state: CallState;
}

/** Plays a call with a scripted caller, without a model, a clock or a network. */
export function simulate(design: Design, simulation: Simulation): SimulationRun {
  return inOnePiece(simulating(design, simulation));
}

/** {@link simulate} in small steps. */
export function* simulating(design: Design, simulation: Simulation): Steps<SimulationRun> {
  const player = new Player(design, simulation);
  yield* readPending(player);
  for (const turn of simulation.script) {
    if (player.isDone) break;
    yield;
    player.play(turn);
    yield* readPending(player);
  }
  return player.run();
}

function* readPending(player: Player): Steps<void> {
  while (player.pending) {
    yield;
    player.understand(readByRule(player.pending), 'rule');
  }
}

/** What somebody has to understand, or to write, before a call goes on. */
export type Pending = Extract<Effect, { kind: 'understand' }>;

type SearchEffect = Extract<Effect, { kind: 'search' }>;

/** What leaves Parley: a request, a text message, a call of a CRM. */
export type OutwardEffect = Extract<Effect, { kind: 'request' | 'sms' | 'crmLookup' | 'crmWrite' }>;

/** What came of an effect that somebody performed. */
export type EffectOutcome = { readonly result: Json } | { readonly failed: string };

/** A transfer that somebody has to carry out. */
export type TransferEffect = Extract<Effect, { kind: 'transfer' }>;

/** What a listener follows while a call is played. */
export type Followed =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'say'; readonly text: string; readonly step: string };

const limitNotes: Readonly<Record<Exclude<CallLimit, 'given'>, string>> = {
  turns: `The call reached its limit of ${mostTurns} turns.`,
  moves: `The call reached its limit of ${mostMoves} steps and nodes without a turn of the caller.`,
  readings: `The call reached its limit of ${mostReadings} questions to a model without a turn of the caller: its steps lead to each other.`,
};

/** Places that one run may pass, and characters that it may speak: a run is held in memory. */
const longestPath = 5_000;
const longestTranscript = 200_000;

/**
 * Performs the effects of a call, and writes down what happens. It stops at each turn that has to be understood
 * (`pending`), so that the rule can read it at once, and a model in its own time.
 */
export class Player {
  readonly #design: Design;
  readonly #simulation: Simulation;
  readonly #transcript: TranscriptLine[] = [];
  readonly #path: PathEntry[] = [];
  readonly #requests: SimulatedRequest[] = [];
  readonly #notes: string[] = [];
  #state: CallState;
  #ended: SimulationRun['ended'] = null;
  #limit: CallLimit | undefined;
  #spoken = 0;
  /** What the script says about the turn that is being played. */
  #understood: readonly Understood[];
  #pending: Pending | undefined;
  #outward: OutwardEffect | undefined;
  #search: { readonly effect: SearchEffect; readonly unmocked: readonly string[] } | undefined;
  #transfer: TransferEffect | undefined;
  readonly #follow: (followed: Followed) => void;
  readonly #meanings: Understood[][] = [[]];

  /** Starts the call, or goes on with `simulation.from`. `follow` gets what happens as soon as it happens. */
  constructor(
    design: Design,
    simulation: Simulation,
    follow: (followed: Followed) => void = () => undefined,
  ) {
    this.#design = design;
    this.#follow = follow;
    this.#simulation = simulation;
    const { channel, system, variables, from, opening = [] } = simulation;
    this.#understood = opening;
    if (from) {
      this.#state = from;
      if (from.position) this.#path.push({ ...from.position, exit: null, why: null });
    } else {
      const outcome = begin(design, { type: 'started', channel, system, variables });
      this.#state = outcome.state;
      this.#take(outcome);
    }
  }

  get pending(): Pending | undefined {
    return this.#pending;
  }

  /** What has to be performed outside before the call goes on; always undefined unless the simulation is live. */
  get outward(): OutwardEffect | undefined {
    return this.#outward;
  }

  /** The knowledge bases to search before the call goes on; always undefined unless the simulation `searches`. */
  get searching(): { readonly query: string; readonly knowledgeBaseIds: readonly string[] } | undefined {
    return this.#search && { query: this.#search.effect.query, knowledgeBaseIds: this.#search.unmocked };
  }

  /** What has to be handed over before the call goes on; always undefined unless the simulation `handsOver`. */
  get transferring(): TransferEffect | undefined {
    return this.#transfer;
  }

  get state(): CallState {
    return this.#state;
  }

  /** True if no further turn can be played. */
  get isDone(): boolean {
    return isOver(this.#state) || this.#isLong;
  }

  /** Everything that was understood so far. */
  get understood(): readonly Understood[] {
    return this.#meanings.flat();
  }

  /** What was said so far. */
  get transcript(): readonly TranscriptLine[] {
    return this.#transcript;
  }

  get path(): readonly PathEntry[] {
    return this.#path;
  }

  /** The limit that the call has reached. */
  get limit(): CallLimit | undefined {
    return this.#limit;
  }

  get requests(): readonly SimulatedRequest[] {
    return this.#requests;
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  get #isLong(): boolean {
    return this.#path.length >= longestPath || this.#spoken >= longestTranscript;
  }

  /** Plays a turn of the caller. `seconds` since the call started are estimated if they are left out. */
  play(turn: ScriptedTurn, seconds = this.#state.seconds + secondsOf(this.#state, turn)): void {
    this.#understood = 'text' in turn && turn.understood !== undefined ? [turn.understood].flat() : [];
    this.#meanings.push([]);
    if ('hangUp' in turn) this.#send({ type: 'hungUp', seconds });
    else if ('silent' in turn) this.#send({ type: 'silent', seconds });
    else this.#send({ type: 'heard', text: turn.text, seconds });
  }

  /** Ends the call at a limit that the driver sets. `text` is what the caller says; null: nothing. `seconds` as for `play`. */
  stop(text: string | null, seconds: number): void {
    this.#meanings.push([]);
    this.#send({ type: 'limited', text, seconds });
  }

  /** Goes on with what `pending` asked for. */
  understand(understood: Understood, by: Reader): void {
    const { pending } = this;
    if (!pending) throw new TypeError('nothing has to be understood');
    this.#pending = undefined;
    this.#send(this.#finished(pending, understood, by));
  }

  /** Goes on without what `pending` asked for: the step takes its own fallback. */
  misunderstand(reason: string): void {
    const { pending } = this;
    if (!pending) throw new TypeError('nothing has to be understood');
    this.#pending = undefined;
    this.#send({ type: 'failed', id: pending.id, reason });
  }

  /** Adds a note about the run. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** Goes on with the passages that `searching` asked for, by knowledge base. */
  found(passages: ReadonlyMap<string, readonly string[]>): void {
    if (!this.#search) throw new TypeError('nothing is searched');
    const { effect } = this.#search;
    this.#search = undefined;
    this.#send(this.#searched(effect, passages));
  }

  /** Goes on with what came of `outward`. */
  perform(outcome: EffectOutcome): void {
    const effect = this.#outward;
    if (!effect) throw new TypeError('nothing has to be performed');
    this.#outward = undefined;
    const failed = 'failed' in outcome;
    this.#record(effect, failed ? 'failed' : 'sent');
    const { id } = effect;
    this.#send(
      failed
        ? { type: 'failed', id, reason: outcome.failed }
        : { type: 'finished', id, result: outcome.result },
    );
  }

  /** Goes on after `transferring`. */
  handOver(outcome: EffectOutcome): void {
    const effect = this.#transfer;
    if (!effect) throw new TypeError('nothing has to be handed over');
    this.#transfer = undefined;
    const { id } = effect;
    this.#send(
      'failed' in outcome
        ? { type: 'failed', id, reason: outcome.failed }
        : { type: 'finished', id, result: outcome.result },
    );
  }

  run(): SimulationRun {
    const stopped = this.#isLong && !isOver(this.#state);
    return {
      ended: this.#ended,
      transcript: this.#transcript,
      path: this.#path,
      requests: this.#requests,
      variables: this.#state.variables,
      notes: stopped ? [...this.#notes, 'The simulation stopped: the call is too long.'] : this.#notes,
      coverage: coverageOf(this.#design, this.#path),
      understood: this.#meanings,
      state: this.#state,
    };
  }

  #send(event: LaterEvent): void {
    this.#take(proceed(this.#design, this.#state, event));
  }

  /** Takes what the engine returned, and performs its effects until the call listens, waits for a reader, or is over. */
  #take(outcome: Outcome): void {
    let next: Outcome | undefined = outcome;
    while (next) {
      const { effects, happenings, state }: Outcome = next;
      this.#state = state;
      for (const happening of happenings) this.#note(happening);
      // A call waits for at most one effect.
      const [event] = effects.flatMap((effect) => this.#perform(effect) ?? []);
      next = event && proceed(this.#design, state, event);
    }
  }

  #note(happening: Happening): void {
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
        this.#notes.push(`{{${happening.name}}} has no value at ${happening.position.id}`);
        break;
      case 'fails':
        this.#notes.push(`${happening.what} at ${happening.position.id} failed: ${happening.reason}`);
        break;
      case 'limited':
        this.#limit = happening.limit;
        // The driver has said why.
        if (happening.limit !== 'given') this.#notes.push(limitNotes[happening.limit]);
        break;
      case 'ends':
        this.#ended = { reason: happening.reason, step: happening.step };
        break;
      case 'sets':
        break;
    }
  }

  #write(line: TranscriptLine): void {
    this.#transcript.push(line);
    this.#spoken += line.text.length;
  }

  /** The event that an effect leads to; undefined if it leads to none, or not yet. */
  #perform(effect: Effect): LaterEvent | undefined {
    switch (effect.kind) {
      case 'say':
        this.#write({ who: 'agent', text: effect.text, step: effect.step });
        this.#follow({ kind: 'say', text: effect.text, step: effect.step });
        return undefined;
      case 'listen':
      case 'end':
        return undefined;
      case 'understand': {
        const [scripted, ...later] = this.#understood;
        this.#understood = later;
        if (scripted) return this.#finished(effect, scripted, 'script');
        this.#pending = effect;
        return undefined;
      }
      case 'search': {
        const { searches = false } = this.#simulation;
        const unmocked = effect.knowledgeIds.filter((id) => this.#passagesOf(id) === undefined);
        // What the script understands needs no passages.
        if (!searches || unmocked.length === 0 || this.#understood.length > 0)
          return this.#searched(effect, new Map());
        this.#search = { effect, unmocked };
        return undefined;
      }
      case 'request':
      case 'crmLookup':
      case 'sms':
      case 'crmWrite':
        return this.#reachOut(effect);
      case 'transfer':
        if (this.#simulation.handsOver) {
          this.#transfer = effect;
          return undefined;
        }
        return transferFails(this.#simulation.transfers, this.#state.position?.id)
          ? { type: 'failed', id: effect.id, reason: 'nobody answers in this simulation' }
          : { type: 'finished', id: effect.id, result: true };
    }
  }

  /** The passages of a search: mocked ones, and those that were found. */
  #searched(effect: SearchEffect, found: ReadonlyMap<string, readonly string[]>): LaterEvent {
    const passages = effect.knowledgeIds.flatMap((id) => this.#passagesOf(id) ?? found.get(id) ?? []);
    return { type: 'finished', id: effect.id, result: passages };
  }

  #passagesOf(knowledgeBaseId: string): readonly string[] | undefined {
    const { passages = {} } = this.#simulation;
    return Object.hasOwn(passages, knowledgeBaseId) ? passages[knowledgeBaseId] : undefined;
  }

  /** Takes the mock of an outward effect. Without one it waits if the simulation is live, and fails otherwise. */
  #reachOut(effect: OutwardEffect): LaterEvent | undefined {
    const { id, node, kind } = effect;
    const { contacts = {}, live = false } = this.#simulation;
    const response = this.#mockOf(node);
    if (kind === 'crmLookup' && Object.hasOwn(contacts, node)) {
      this.#record(effect, 'mocked');
      return { type: 'finished', id, result: contacts[node] ?? null };
    }
    // A response is no contact.
    const mock = kind === 'crmLookup' && response && !('fail' in response) ? undefined : response;
    if (mock === undefined && live) {
      this.#outward = effect;
      return undefined;
    }
    this.#record(effect, resultOf(mock));
    return mock === undefined ? unmocked(id) : mocked(id, mock);
  }

  #record(effect: OutwardEffect, result: SimulatedRequest['result']): void {
    this.#requests.push({ ...requestOf(effect), node: effect.node, result });
  }

  /** What a reader made of a turn, as an event. Writes it down next to the turn, for the step that heard it. */
  #finished(effect: Pending, understood: Understood, by: Reader): LaterEvent {
    this.#meanings.at(-1)?.push(understood);
    const index = this.#transcript.findLastIndex(({ who }) => who === 'caller');
    const line = this.#transcript[index];
    if (line && !line.understood && effect.reads !== 'message' && effect.reads !== 'values')
      this.#transcript[index] = { ...line, understood, understoodBy: by };
    return { type: 'finished', id: effect.id, result: understood as Json };
  }

  #mockOf(node: string): Mock | undefined {
    const { requests = {} } = this.#simulation;
    return Object.hasOwn(requests, node) ? requests[node] : undefined;
  }
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
  }
}

type LaterEvent = Exclude<CallEvent, { type: 'started' }>;

function resultOf(response: Mock | undefined): SimulatedRequest['result'] {
  if (response === undefined) return 'unmocked';
  return 'fail' in response ? 'failed' : 'mocked';
}

function unmocked(id: string): LaterEvent {
  return { type: 'failed', id, reason: 'it has no mock, so nothing was sent' };
}

function mocked(id: string, response: Mock): LaterEvent {
  return 'fail' in response
    ? { type: 'failed', id, reason: response.fail }
    : { type: 'finished', id, result: response satisfies HttpResponse };
}

/** 150 words a minute, which is usual in conversation. */
export const charactersPerSecond = 15;
const secondsOfSilence = 5;

/** Seconds that a turn takes, with what the agent has said since the turn before. There is no clock. */
function secondsOf({ history }: CallState, turn: ScriptedTurn): number {
  const last = history.findLastIndex(({ who }) => who === 'caller');
  const spoken = history.slice(last + 1).reduce((sum, { text }) => sum + text.length, 0);
  const replied = 'text' in turn ? turn.text.length : 0;
  const silence = 'silent' in turn ? secondsOfSilence : 0;
  return Math.ceil((spoken + replied) / charactersPerSecond) + silence;
}

function transferFails(transfers: Simulation['transfers'], step: string | undefined): boolean {
  if (typeof transfers !== 'object') return transfers === false;
  return step !== undefined && Object.hasOwn(transfers, step) && transfers[step] === false;
}
