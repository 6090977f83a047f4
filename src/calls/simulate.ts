import type { Design } from '../design/schema/design.ts';
import { CallDriver, type CallRequest, type PathEntry, type TranscriptLine } from './call-driver.ts';
import type { CallState, OutwardEffect, PendingEffect, SystemValues, Understood } from './call-state.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { isOver } from './engine.ts';
import type { Json } from './json-value.ts';
import { readByRule } from './reader.ts';
import type { HttpResponse } from './requests.ts';
import { type CalendarEffect, type CalendarMock, SimulatedCalendar } from './simulated-calendar.ts';
import { charactersPerSecond } from './speaking-rate.ts';
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
  /** What a calendar has, by the id of a step or hook node. */
  readonly calendars?: Readonly<Record<string, CalendarMock>> | undefined;
  /** Passages, by the id of a knowledge base. */
  readonly passages?: Readonly<Record<string, readonly string[]>> | undefined;
  /** True if transfers succeed; default true. By the id of a step if they differ. */
  readonly transfers?: boolean | Readonly<Record<string, boolean>> | undefined;
  /** What is understood, or written by a model, before the caller's first turn. */
  readonly opening?: readonly Understood[] | undefined;
  /** Goes on with this call, which has to listen, instead of starting one. */
  readonly from?: CallState | undefined;
}

/** Two equal runs give the same JSON, byte for byte. */
export interface SimulationRun {
  /** null: the call still listens when the script is over. */
  readonly ended: CallState['ended'];
  /** The number, address or conversation to which the call was put through; null if it was not. */
  readonly transferredTo: string | null;
  readonly transcript: readonly TranscriptLine[];
  readonly path: readonly PathEntry[];
  readonly requests: readonly CallRequest[];
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
  const call = new SimulatedCall(design, simulation);
  yield* readPending(call);
  for (const turn of simulation.script) {
    if (call.driver.isDone) break;
    yield;
    call.play(turn);
    yield* readPending(call);
  }
  return call.run();
}

function* readPending(call: SimulatedCall): Steps<void> {
  for (;;) {
    const pending = call.performMocked();
    if (pending?.kind !== 'understand') return;
    yield;
    call.driver.understand(readByRule(pending), 'rule');
  }
}

/** What a simulated call leaves to its client, instead of going on without it. */
export interface LeftToClient {
  /** Requests, text messages, calls of a CRM and uses of a calendar without a mock. If false, they fail, but a calendar is simulated. */
  readonly requests?: boolean;
  /** Searches without a mock. If false, they find nothing. */
  readonly searches?: boolean;
}

/** A call whose caller follows a script, and whose effects are mocked. A {@link CallDriver} drives it. */
export class SimulatedCall {
  readonly driver: CallDriver;
  #transferredTo: string | null = null;
  readonly #design: Design;
  readonly #simulation: Simulation;
  readonly #left: LeftToClient;
  readonly #calendar = new SimulatedCalendar();
  readonly #passages: ReadonlyMap<string, readonly string[]>;
  /** What the script says about the turn that is being played. */
  #understood: readonly Understood[];

  /** Starts the call, or goes on with `simulation.from`. */
  constructor(design: Design, simulation: Simulation, left: LeftToClient = {}) {
    const { channel, system, variables, from, opening = [], passages = {} } = simulation;
    this.#design = design;
    this.#simulation = simulation;
    this.#left = left;
    this.#passages = new Map(Object.entries(passages));
    this.#understood = opening;
    this.driver = from
      ? CallDriver.resume(design, from)
      : CallDriver.start(design, { channel, system, variables });
  }

  /** Plays a turn of the caller. There is no clock, so that the seconds since the call started are estimated. */
  play(turn: ScriptedTurn): void {
    const { driver } = this;
    const seconds = driver.state.seconds + secondsOf(driver.state, turn);
    this.#understood = 'text' in turn && turn.understood !== undefined ? [turn.understood].flat() : [];
    if ('hangUp' in turn) driver.hangUp(seconds);
    else driver.hear('text' in turn ? turn.text : null, seconds);
  }

  /** Performs what the script and the mocks decide on. Returns what somebody else has to perform before the call goes on. */
  performMocked(): PendingEffect | undefined {
    for (;;) {
      const { pending } = this.driver;
      if (!pending || !this.#perform(pending)) return pending;
    }
  }

  run(): SimulationRun {
    const { state, transcript, path, requests, notes, understood, isTooLong } = this.driver;
    const stopped = isTooLong && !isOver(state);
    return {
      ended: state.ended,
      transferredTo: this.#transferredTo,
      transcript,
      path,
      requests,
      variables: state.variables,
      notes: stopped ? [...notes, 'The simulation stopped: the call is too long.'] : notes,
      coverage: coverageOf(this.#design, path),
      understood,
      state,
    };
  }

  /** Returns false if somebody else has to perform the effect. */
  #perform(effect: PendingEffect): boolean {
    switch (effect.kind) {
      case 'understand': {
        const [scripted, ...later] = this.#understood;
        if (!scripted) return false;
        this.#understood = later;
        this.driver.understand(scripted, 'script');
        return true;
      }
      case 'search': {
        const isMocked = effect.knowledgeIds.every((id) => this.#passages.has(id));
        // What the script understands needs no passages.
        if (this.#left.searches && !isMocked && this.#understood.length === 0) return false;
        this.driver.finishSearch(this.#passages);
        return true;
      }
      case 'transfer':
        if (transferFails(this.#simulation.transfers, this.driver.state.position?.id))
          this.driver.finishTransfer({ failed: 'nobody answers in this simulation' });
        else {
          this.#transferredTo = effect.destination.value;
          this.driver.finishTransfer({ result: true });
        }
        return true;
      case 'request':
      case 'sms':
      case 'crmLookup':
      case 'crmWrite':
        return this.#performRequest(effect);
      case 'calendar':
        return this.#performCalendar(effect);
    }
  }

  #performCalendar(effect: CalendarEffect): boolean {
    const { calendars = {} } = this.#simulation;
    const mock = Object.hasOwn(calendars, effect.node) ? calendars[effect.node] : undefined;
    if (mock === undefined && this.#left.requests) return false;
    const result = this.#calendar.perform(effect, mock);
    if (result) this.driver.finishRequest({ result: { ...result, times: [...result.times] } }, 'mocked');
    else this.driver.finishRequest({ failed: 'the mock of the calendar fails' });
    return true;
  }

  #performRequest({ kind, node }: Exclude<OutwardEffect, CalendarEffect>): boolean {
    const { contacts = {}, requests = {} } = this.#simulation;
    const response = Object.hasOwn(requests, node) ? requests[node] : undefined;
    if (kind === 'crmLookup' && Object.hasOwn(contacts, node)) {
      this.driver.finishRequest({ result: contacts[node] ?? null }, 'mocked');
      return true;
    }
    // A response is not a contact.
    const mock = kind === 'crmLookup' && response && !('fail' in response) ? undefined : response;
    if (mock === undefined && this.#left.requests) return false;
    if (mock === undefined)
      this.driver.finishRequest({ failed: 'it has no mock, so nothing was sent' }, 'unmocked');
    else if ('fail' in mock) this.driver.finishRequest({ failed: mock.fail });
    else this.driver.finishRequest({ result: mock satisfies HttpResponse }, 'mocked');
    return true;
  }
}

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
