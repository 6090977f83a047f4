import { stepOf } from '../design/exits.ts';
import type { Design, HookNode, HookPhase, Step } from '../design/schema/design.ts';
import { asideFinished } from './aside.ts';
import { Call } from './call.ts';
import {
  type CallEvent,
  type CallState,
  callFormat,
  mostMoves,
  mostTurns,
  noProgress,
  type Outcome,
  type PendingEffect,
  type Position,
} from './call-state.ts';
import type { Json } from './json-value.ts';
import { answers, commandOf, obeys } from './obeying.ts';
import { nodeFinished, playNode } from './play-node.ts';
import { playOf } from './play-step.ts';
import { commandIn } from './understood.ts';

/** An event that cannot happen to a call in its state, such as a turn of the caller after the end. */
export class ImpossibleEvent extends Error {
  override readonly name = 'ImpossibleEvent';
}

/**
 * Begins a call: plays the hook `before`, and the steps up to the first that waits.
 * The engine is pure: no clock, no randomness, no input or output. Everything that it needs arrives as an event.
 */
export function begin(design: Design, event: Extract<CallEvent, { type: 'started' }>): Outcome {
  const fresh: CallState = {
    format: callFormat,
    position: null,
    waiting: null,
    variables: event.variables ?? {},
    system: { ...event.system, channel: event.channel },
    history: [],
    turns: 0,
    seconds: 0,
    moves: 0,
    readings: 0,
    effects: 0,
    progress: noProgress,
    ended: null,
  };
  const call = new Call(design, fresh);
  call.next = startOf(design, event.channel);
  run(call);
  return call.outcome();
}

/**
 * Goes on with a call.
 * @throws ImpossibleEvent if the call does not wait for this event
 */
export function proceed(
  design: Design,
  state: CallState,
  event: Exclude<CallEvent, { type: 'started' }>,
): Outcome {
  const call = new Call(design, state);
  receive(call, event);
  run(call);
  return call.outcome();
}

/** True if a call is over, its hook `after` included. */
export function isOver({ position, ended }: CallState): boolean {
  return ended !== null && position === null;
}

/** The node or step that a call starts at. */
function startOf(design: Design, channel: string): Position {
  const { before } = design.hooks ?? {};
  const { entryPoints = {}, rootNodeId, nodes = {} } = before ?? {};
  const chosen = Object.hasOwn(entryPoints, channel) ? entryPoints[channel] : rootNodeId;
  if (chosen !== undefined && Object.hasOwn(nodes, chosen)) return { at: 'before', id: chosen };
  return { at: 'step', id: design.entry.stepId };
}

/** Enters one place after another until one waits, or until the call is over. */
function run(call: Call): void {
  while (call.next !== undefined) {
    const position = call.next;
    call.next = undefined;
    // Steps or nodes that lead to each other without a turn of the caller would go round for ever.
    if (call.moves >= mostMoves) {
      call.stop('moves');
      continue;
    }
    call.enter(position);
    if (position.at === 'step') {
      const step = stepOf(call.design, position.id);
      if (step) playOf(step).enter(call, step);
      else call.end('failed');
    } else playNode(call, position.at, nodeAt(call.design, position.at, position.id));
  }
}

function receive(call: Call, event: Exclude<CallEvent, { type: 'started' }>): void {
  const { waiting, position } = call;
  if ('seconds' in event && event.seconds !== undefined) call.seconds = event.seconds;
  if (event.type === 'hungUp') {
    if (call.ended) throw new ImpossibleEvent('the conversation has ended');
    call.end('hungUp');
    return;
  }
  if (!waiting || !position) throw new ImpossibleEvent('the call is over');
  if (event.type === 'limited') {
    if (waiting.for !== 'caller') throw new ImpossibleEvent('the call does not listen');
    call.waiting = null;
    if (event.text === null) call.turns += 1;
    else call.hear(event.text);
    call.stop('given');
    return;
  }
  if (event.type === 'heard' || event.type === 'silent' || event.type === 'keyed') {
    if (waiting.for !== 'caller') throw new ImpossibleEvent('the call does not listen');
    call.waiting = null;
    hearTurn(call, position, event);
    return;
  }
  if (waiting.for !== 'effect' || waiting.id !== event.id)
    throw new ImpossibleEvent(`the call does not wait for ${event.id}`);
  call.waiting = null;
  if (event.type === 'failed') call.fail(waiting.kind, event.reason);
  const result = event.type === 'finished' ? event.result : undefined;
  if (position.at === 'step') {
    stepFinished(call, stepAt(call.design, position.id), { kind: waiting.kind, result });
  } else nodeFinished(call, position.at, nodeAt(call.design, position.at, position.id), result);
}

/** An effect of a step has finished: a command of the caller and the answer to a question of theirs come before the step. */
function stepFinished(
  call: Call,
  step: Step,
  { kind, result }: { kind: PendingEffect['kind']; result: Json | undefined },
): void {
  const play = playOf(step);
  const resume = () => (play.resume ? play.resume(call, step) : call.listen());
  const id = kind === 'understand' ? commandIn(result) : null;
  const command = id === null ? undefined : commandOf(call, id, result);
  if (id !== null && command) {
    // Whoever asks for nothing but a repetition uses up attempts in the end, so that nobody stays at a step for ever.
    const isTooOften = command.next === undefined && id !== 'stop' && !answers(result) && !call.pauses();
    if (!(isTooOften && id === 'repeat') && obeys(call, id, command)) return;
    // A command that does not lead away may stand beside an answer.
    if (answers(result) || isTooOften) play.finished?.(call, step, result);
    else resume();
  } else if (call.progress.aside === '') play.finished?.(call, step, result);
  else if (!asideFinished(call, result)) resume();
}

/** A silence counts as a turn too, so that it cannot go on for ever. */
function hearTurn(
  call: Call,
  position: Position,
  event: Extract<CallEvent, { type: 'heard' | 'silent' | 'keyed' }>,
): void {
  call.moves = 0;
  call.readings = 0;
  const text = event.type === 'silent' ? null : event.type === 'heard' ? event.text : event.digits;
  if (text === null) call.turns += 1;
  else call.hear(text);
  if (call.turns > mostTurns) {
    call.stop('turns');
    return;
  }
  const step = stepAt(call.design, position.id);
  const play = playOf(step);
  if (event.type === 'keyed' && play.keyed) play.keyed(call, step, event.digits);
  else play.heard?.(call, step, text);
}

function stepAt(design: Design, id: string) {
  const step = stepOf(design, id);
  if (!step) throw new ImpossibleEvent(`the design has no step ${id}`);
  return step;
}

function nodeAt({ hooks }: Design, phase: HookPhase, id: string): HookNode {
  const node = hooks?.[phase]?.nodes[id];
  if (!node) throw new ImpossibleEvent(`the design has no hook node ${id}`);
  return node;
}
