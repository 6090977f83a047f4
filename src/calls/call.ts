import { stepOf } from '../design/exits.ts';
import type { CallMoment } from '../design/moments.ts';
import { isValueName, textParts } from '../design/placeholders.ts';
import type { Design, HookPhase, Target } from '../design/schema/design.ts';
import { plainName, type SystemVariableName } from '../design/system-variables.ts';
import { valueAt } from '../design/value.ts';
import { languageCodeOf } from '../disclosure/index.ts';
import {
  type CallLimit,
  type CallState,
  type CommandOption,
  callFormat,
  type Effect,
  type EndReason,
  type Happening,
  longestHistory,
  mostPauses,
  mostReadings,
  noProgress,
  type Outcome,
  type Position,
  type Progress,
  type Turn,
  type Waiting,
} from './call-state.ts';
import { commandsAt } from './commands.ts';
import type { Json } from './json-value.ts';
import { spoken } from './spoken.ts';
import { fillTemplate, longestFilled, textOf } from './templates.ts';

/** An effect with an id, before it has one. */
export type Request = Effect extends infer One
  ? One extends { id: string }
    ? Omit<One, 'id'>
    : never
  : never;

/**
 * A call while one event is played: a copy of its state that steps and nodes change, and what comes out of it. It only
 * records; `engine.ts` decides what happens.
 */
export class Call {
  readonly design: Design;
  readonly effects: Effect[] = [];
  readonly happenings: Happening[] = [];
  position: Position | null;
  waiting: Waiting | null;
  progress: Progress;
  ended: CallState['ended'];
  turns: number;
  seconds: number;
  moves: number;
  readings: number;
  /** The place that the call goes to next; undefined if it stays. */
  next: Position | undefined;
  #effectCount: number;
  readonly #variables: Record<string, Json>;
  readonly #system: Partial<Record<SystemVariableName, Json>>;
  #history: readonly Turn[];

  constructor(design: Design, state: CallState) {
    this.design = design;
    this.position = state.position;
    this.waiting = state.waiting;
    this.progress = state.progress;
    this.ended = state.ended;
    this.turns = state.turns;
    this.seconds = state.seconds;
    this.moves = state.moves;
    this.readings = state.readings;
    this.#effectCount = state.effects;
    this.#variables = { ...state.variables };
    this.#system = { ...state.system };
    this.#history = state.history;
  }

  outcome(): Outcome {
    const { position, waiting, progress, ended, turns, seconds, moves, readings } = this;
    const state: CallState = {
      format: callFormat,
      position,
      waiting,
      variables: this.#variables,
      system: this.#system,
      history: this.#history,
      turns,
      seconds,
      moves,
      readings,
      effects: this.#effectCount,
      progress,
      ended,
    };
    return { state, effects: this.effects, happenings: this.happenings };
  }

  /** The id of the step or node that the call is at. */
  get here(): string {
    return this.position?.id ?? '';
  }

  get history(): readonly Turn[] {
    return this.#history;
  }

  /** The value of a variable, of a member of one (`order.status`), or of a system variable. */
  valueOf(name: string): Json | undefined {
    const plain = plainName(name);
    if (Object.hasOwn(this.#variables, name)) return this.#variables[name];
    if (Object.hasOwn(this.#system, plain)) return this.#system[plain as SystemVariableName];
    return valueAt(this.#variables, name.split('.')) as Json | undefined;
  }

  /** When the call began; undefined if nobody has said. A call of an earlier release knows the moment in UTC only. */
  get moment(): CallMoment | undefined {
    const { callStartedAt, callDate, callTime, isOpen } = this.#system;
    if (typeof callDate === 'string' && typeof callTime === 'string')
      return { date: callDate, time: callTime, isOpen: isOpen !== 'no' };
    if (typeof callStartedAt !== 'string') return undefined;
    const [date = '', time = ''] = callStartedAt.split('T');
    return { date, time: time.slice(0, 'HH:MM'.length), isOpen: true };
  }

  /** @param corrects true if the caller has changed what was noted before */
  set(variableId: string, value: Json, corrects = false): void {
    this.#variables[variableId] = value;
    this.happenings.push({ kind: 'sets', variableId, value, corrects });
  }

  /** Takes a value back: null, so that no step finds it in what the caller has said before. */
  forget(variableId: string): void {
    this.#variables[variableId] = null;
  }

  /** Sets a system variable that becomes known during the call. */
  know(name: SystemVariableName, value: Json): void {
    this.#system[name] = value;
  }

  /** A text of the design, its placeholders filled. */
  filled(text: string): string {
    return fillTemplate(
      text,
      (name) => this.valueOf(name),
      (name) => this.#miss(name),
    );
  }

  /** The value of a placeholder as text. Without one it is empty, and that is noted. */
  textOf(name: string): string {
    const value = this.valueOf(name) ?? null;
    if (value !== null) return textOf(value);
    this.#miss(name);
    return '';
  }

  /** The values of the placeholders in a text of the design. */
  valuesIn(text: string): Record<string, Json> {
    const names = [...textParts(text)].flatMap(({ name }) => (isValueName(name) ? [name] : []));
    let left = longestFilled;
    return Object.fromEntries(
      [...new Set(names)].map((name) => {
        const value = this.textOf(name).slice(0, left);
        left -= value.length;
        return [name, value];
      }),
    );
  }

  /** Speaks a text of the design, its placeholders filled. Says nothing if it is empty. */
  say(text: string | undefined): void {
    if (text === undefined || !text.includes('{{')) this.speak(text ?? '');
    else
      this.speak(
        fillTemplate(
          text,
          (name) => spoken(this.valueOf(name), this.language, name),
          (name) => this.#miss(name),
        ),
      );
  }

  /** The code of the language that the agent has spoken so far. */
  get language(): string {
    return languageCodeOf(
      this.#history.flatMap(({ who, text }) => (who === 'agent' ? [text] : [])).join(' '),
    );
  }

  /** Speaks a text as it is, such as one that a model has written: it may repeat the placeholders of a caller. */
  speak(text: string): void {
    const spoken = text.trim();
    if (spoken === '') return;
    this.#remember({ who: 'agent', text: spoken });
    this.effects.push({ kind: 'say', text: spoken, step: this.here });
  }

  /** Notes that the caller has asked for something in place of an answer. */
  command(command: string): void {
    this.happenings.push({ kind: 'commanded', command, step: this.here });
  }

  /** Counts a silence or a question, which uses up no attempt. Returns false if there were too many in a row. */
  pauses(): boolean {
    const pauses = this.progress.pauses + 1;
    if (pauses > mostPauses) return false;
    this.progress = { ...this.progress, pauses };
    return true;
  }

  /**
   * Says again what the agent has said since the caller's turn before the last one, each text once. Returns false if there is
   * nothing.
   */
  repeat(): boolean {
    const turns = this.#history.slice(0, -1);
    const last = turns.findLastIndex(({ who }) => who === 'caller');
    const said = turns.slice(last + 1).flatMap(({ who, text }) => (who === 'agent' ? [text] : []));
    const texts = said.filter((text, index) => said.lastIndexOf(text) === index);
    for (const text of texts) this.speak(text);
    return texts.length > 0;
  }

  hear(text: string): void {
    this.turns += 1;
    this.#remember({ who: 'caller', text });
    this.happenings.push({ kind: 'heard', text, step: this.here });
  }

  /** Waits for the caller. */
  listen(progress: Partial<Progress> = {}): void {
    this.progress = { ...this.progress, ...progress };
    this.waiting = { for: 'caller' };
    this.effects.push({ kind: 'listen', step: this.here });
  }

  /** Asks the driver for something, and waits for it. A model that was asked too often is not asked again. */
  request(request: Request, progress: Partial<Progress> = {}): void {
    const offered = this.#offered(request);
    if (request.kind === 'understand') {
      if (this.readings >= mostReadings) {
        this.stop('readings');
        return;
      }
      this.readings += 1;
    }
    this.progress = { ...this.progress, ...progress };
    const id = `e${this.#effectCount}`;
    this.#effectCount += 1;
    this.waiting = { for: 'effect', id, kind: request.kind };
    this.effects.push({ ...request, ...offered, id });
  }

  /** Leaves the current place by an exit. A chain of `after` that leads nowhere ends the call. */
  leave(exit: string, to: Position | undefined, why: string): void {
    this.happenings.push({ kind: 'leaves', position: this.#place(), exit, why });
    if (to) this.next = to;
    else this.finish();
  }

  leaveToStep(exit: string, stepId: string, why: string): void {
    this.leave(exit, { at: 'step', id: stepId }, why);
  }

  fail(what: string, reason: string): void {
    this.happenings.push({ kind: 'fails', position: this.#place(), what, reason });
  }

  /** Ends the conversation. The hook `after` runs, and then the call is over. */
  end(reason: EndReason): void {
    const step = this.position?.at === 'step' ? this.position.id : null;
    this.ended = { reason, step };
    this.moves = 0;
    this.readings = 0;
    this.happenings.push({ kind: 'ends', reason, step });
    if (step !== null) this.know('endedAtStep', step);
    this.know('callDurationSeconds', this.seconds);
    const closing = step === null ? undefined : closingNode(this.design, reason, step);
    if (closing === undefined) this.finish();
    else this.next = { at: 'after', id: closing };
  }

  /** Stops at a limit: the conversation ends, and after its end the call is over. */
  stop(limit: CallLimit): void {
    this.happenings.push({ kind: 'limited', limit });
    if (this.ended) this.finish();
    else this.end('limit');
  }

  /** The call is over: nothing runs any more. */
  finish(): void {
    this.next = undefined;
    this.waiting = null;
    this.position = null;
    this.progress = noProgress;
    this.effects.push({ kind: 'end', reason: this.ended?.reason ?? 'completed' });
  }

  /** Enters a place. */
  enter(position: Position): void {
    this.position = position;
    this.progress = noProgress;
    this.waiting = null;
    this.moves += 1;
    this.happenings.push({ kind: 'enters', position });
  }

  /** What the caller may have asked for instead: a turn is read for it once, by the first step that reads the turn. */
  #offered(request: Request): { commands?: readonly CommandOption[] } {
    const isTurn = request.kind === 'understand' && request.reads !== 'message' && request.reads !== 'values';
    return isTurn && this.readings === 0 && this.#history.at(-1)?.who === 'caller'
      ? { commands: commandsAt(this.here, this.design) }
      : {};
  }

  #miss(name: string): void {
    this.happenings.push({ kind: 'misses', name, position: this.#place() });
  }

  #place(): Position {
    if (!this.position) throw new TypeError('the call is nowhere');
    return this.position;
  }

  #remember(turn: Turn): void {
    this.#history = [...this.#history, turn].slice(-longestHistory);
  }
}

/** The place that a target of a hook node leads to; undefined if the chain ends. */
export function placeOfTarget(design: Design, phase: HookPhase, target: Target): Position | undefined {
  if (target.end === true) return undefined;
  if (target.step !== undefined) {
    // The conversation is over after the call.
    if (phase === 'after' || stepOf(design, target.step) === undefined) return undefined;
    return { at: 'step', id: target.step };
  }
  const { hookNode } = target;
  const nodes = design.hooks?.[phase]?.nodes ?? {};
  return hookNode !== undefined && Object.hasOwn(nodes, hookNode) ? { at: phase, id: hookNode } : undefined;
}

/** Ends that no step of the design leads to. The proof knows them as hang-ups. */
export const premature: ReadonlySet<EndReason> = new Set(['hungUp', 'failed', 'limit']);

/**
 * The node that runs when a conversation has ended at a step. After a premature end, that is only the node for hang-ups:
 * what the other nodes rely on, such as consent, may be missing. Else it is the entry point of the step, of the reason, or
 * the first one that names no step. One chain runs, as the proof assumes.
 */
function closingNode({ hooks, steps }: Design, reason: EndReason, step: string): string | undefined {
  const after = hooks?.after;
  if (!after) return undefined;
  const { entryPoints = {}, prematureHangupNodeId } = after;
  const own = (name: string) => (Object.hasOwn(entryPoints, name) ? entryPoints[name] : undefined);
  const ofReason = Object.hasOwn(steps, reason) ? undefined : own(reason);
  const always = Object.entries(entryPoints).find(([name]) => !Object.hasOwn(steps, name))?.[1];
  const chosen = premature.has(reason) ? prematureHangupNodeId : (own(step) ?? ofReason ?? always);
  return chosen !== undefined && Object.hasOwn(after.nodes, chosen) ? chosen : undefined;
}
