import type { Design } from '../design/schema/design.ts';
import type {
  CallEvent,
  CallState,
  Effect,
  EndReason,
  Happening,
  Outcome,
  Position,
  Understood,
} from './call-state.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { begin, isOver, proceed } from './engine.ts';
import type { Json } from './json-value.ts';
import { readByRule } from './reader.ts';
import type { HttpRequest, HttpResponse } from './requests.ts';

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
  readonly system: Readonly<Record<string, Json>>;
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
}

export interface TranscriptLine {
  readonly who: 'agent' | 'caller';
  readonly text: string;
  readonly step: string;
  /** What a turn of the caller was taken for. */
  readonly understood?: Understood;
  readonly understoodBy?: 'rule' | 'script';
}

export interface PathEntry extends Position {
  /** null: the call is still here, or it ended here. */
  readonly exit: string | null;
  readonly why: string | null;
}

/** A request as it would be sent. `{{secret.NAME}}` stays as it is. */
export interface SimulatedRequest extends HttpRequest {
  readonly node: string;
  /** `unmocked`: not sent, and taken as failed. */
  readonly result: 'mocked' | 'failed' | 'unmocked';
}

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
  readonly state: CallState;
}

/** Plays a call with a scripted caller, without a model, a clock or a network. */
export function simulate(design: Design, simulation: Simulation): SimulationRun {
  const { channel, system, variables, script } = simulation;
  const player = new Player(design, simulation);
  player.take(begin(design, { type: 'started', channel, system, variables }));
  for (const turn of script) {
    if (player.isOver) break;
    player.play(turn);
  }
  return player.run();
}

/** Performs the effects of a call, and writes down what happens. */
class Player {
  readonly #design: Design;
  readonly #simulation: Simulation;
  readonly #transcript: TranscriptLine[] = [];
  readonly #path: PathEntry[] = [];
  readonly #requests: SimulatedRequest[] = [];
  readonly #notes: string[] = [];
  #state: CallState | undefined;
  #ended: SimulationRun['ended'] = null;
  /** What the script says about the turn that is being played. */
  #understood: readonly Understood[];

  constructor(design: Design, simulation: Simulation) {
    this.#design = design;
    this.#simulation = simulation;
    this.#understood = simulation.opening ?? [];
  }

  get isOver(): boolean {
    return this.#state !== undefined && isOver(this.#state);
  }

  play(turn: ScriptedTurn): void {
    this.#understood = [];
    if ('hangUp' in turn) this.#send({ type: 'hungUp' });
    else if ('silent' in turn) this.#send({ type: 'silent' });
    else {
      this.#understood = turn.understood === undefined ? [] : [turn.understood].flat();
      this.#send({ type: 'heard', text: turn.text });
    }
  }

  /** Takes what the engine returned, and performs its effects until the call listens or is over. */
  take(outcome: Outcome): void {
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

  run(): SimulationRun {
    if (!this.#state) throw new TypeError('the call has not begun');
    return {
      ended: this.#ended,
      transcript: this.#transcript,
      path: this.#path,
      requests: this.#requests,
      variables: this.#state.variables,
      notes: this.#notes,
      coverage: coverageOf(this.#design, this.#path),
      state: this.#state,
    };
  }

  #send(event: Exclude<CallEvent, { type: 'started' }>): void {
    if (this.#state) this.take(proceed(this.#design, this.#state, event));
  }

  #note(happening: Happening): void {
    switch (happening.kind) {
      case 'enters':
        this.#path.push({ ...happening.position, exit: null, why: null });
        break;
      case 'leaves': {
        const { position, exit, why } = happening;
        this.#path[this.#path.length - 1] = { ...position, exit, why };
        break;
      }
      case 'heard':
        this.#transcript.push({ who: 'caller', text: happening.text, step: happening.step });
        break;
      case 'misses':
        this.#notes.push(`{{${happening.name}}} has no value at ${happening.position.id}`);
        break;
      case 'fails':
        this.#notes.push(`${happening.what} at ${happening.position.id} failed: ${happening.reason}`);
        break;
      case 'ends':
        this.#ended = { reason: happening.reason, step: happening.step };
        break;
      case 'sets':
        break;
    }
  }

  /** The event that an effect leads to; undefined if it leads to none. */
  #perform(effect: Effect): Exclude<CallEvent, { type: 'started' }> | undefined {
    switch (effect.kind) {
      case 'say':
        this.#transcript.push({ who: 'agent', text: effect.text, step: effect.step });
        return undefined;
      case 'listen':
      case 'end':
        return undefined;
      case 'understand':
        return { type: 'finished', id: effect.id, result: this.#read(effect) as Json };
      case 'search': {
        const { passages = {} } = this.#simulation;
        const found = effect.knowledgeIds.flatMap((id) =>
          Object.hasOwn(passages, id) ? (passages[id] ?? []) : [],
        );
        return { type: 'finished', id: effect.id, result: found };
      }
      case 'request': {
        const { kind: _, id, node, ...request } = effect;
        const response = mockOf(this.#simulation.requests, node);
        const result = response === undefined ? 'unmocked' : 'fail' in response ? 'failed' : 'mocked';
        this.#requests.push({ node, ...request, result });
        if (response === undefined)
          return { type: 'failed', id, reason: 'it has no mock, so nothing was sent' };
        if ('fail' in response) return { type: 'failed', id, reason: response.fail };
        return { type: 'finished', id, result: response satisfies HttpResponse };
      }
      case 'crmLookup': {
        const { contacts = {} } = this.#simulation;
        if (Object.hasOwn(contacts, effect.node))
          return { type: 'finished', id: effect.id, result: contacts[effect.node] ?? null };
        return { type: 'failed', id: effect.id, reason: 'it has no mock, so no contact was looked up' };
      }
      case 'sms':
      case 'crmWrite':
        return { type: 'finished', id: effect.id, result: null };
      case 'transfer':
        return transferFails(this.#simulation.transfers, this.#state?.position?.id)
          ? { type: 'failed', id: effect.id, reason: 'the mock says so' }
          : { type: 'finished', id: effect.id, result: true };
    }
  }

  /** Reads a turn by the script, or else by rule, and writes down how. */
  #read(effect: Extract<Effect, { kind: 'understand' }>): Understood {
    const [scripted, ...later] = this.#understood;
    const understood = scripted ?? readByRule(effect);
    this.#understood = later;
    const index = this.#transcript.findLastIndex(({ who }) => who === 'caller');
    const line = this.#transcript[index];
    if (line && effect.reads !== 'message' && effect.reads !== 'values')
      this.#transcript[index] = { ...line, understood, understoodBy: scripted ? 'script' : 'rule' };
    return understood;
  }
}

function mockOf(mocks: Readonly<Record<string, Mock>> | undefined, node: string): Mock | undefined {
  return mocks && Object.hasOwn(mocks, node) ? mocks[node] : undefined;
}

function transferFails(transfers: Simulation['transfers'], step: string | undefined): boolean {
  if (typeof transfers !== 'object') return transfers === false;
  return step !== undefined && Object.hasOwn(transfers, step) && transfers[step] === false;
}
