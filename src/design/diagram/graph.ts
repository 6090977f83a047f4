import { calendarWords } from '../calendar-words.ts';
import { reachableSteps } from '../checks/reachability.ts';
import { commandExitsOf, endsOpenly, entriesOf, exitsOf, nodesOf, stepOf, targetsOf } from '../exits.ts';
import type { Design, HookNode, HookPhase, Step } from '../schema/design.ts';
import type { Shape } from './diagram.ts';
import { lineOf } from './text.ts';

export type PlainShape = Omit<Shape, 'mark' | 'notes'>;

export interface Way {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** When a branch on the moment of the call is taken; empty for any other way. */
  readonly when: string;
  readonly isAside: boolean;
}

/** The shapes of one version by key, and the ways between them. */
export interface DesignGraph {
  readonly shapes: ReadonlyMap<string, PlainShape>;
  readonly ways: readonly Way[];
}

/** The points of a call that are not steps. */
export const callStarts = 'Call starts';
export const callEnds = 'Call ends';
export const callerHangsUp = 'Caller hangs up';
export const callerAsks = 'Caller asks at any step';

/** The shapes and ways of one version. References to unknown steps and nodes are left out. */
export function graphOf(design: Design): DesignGraph {
  const shapes = new Map<string, PlainShape>();
  const reached = reachableSteps(design);
  const add = (shape: PlainShape) => shapes.set(keyOf(shape.at, shape.id), shape);
  add(pointOf(callStarts));
  for (const { phase, key, node } of nodesOf(design))
    if (phase === 'before') add(nodeShape(phase, key, node));
  for (const [id, step] of Object.entries(design.steps))
    add(stepShape(id, step, { isEntry: id === design.entry.stepId, isReachable: reached.has(id) }));
  for (const { phase, key, node } of nodesOf(design)) if (phase === 'after') add(nodeShape(phase, key, node));

  const ways: Way[] = [];
  const lead = (from: string, to: string, label = '', isAside = false, when = '') => {
    if (!shapes.has(to)) return;
    if (!shapes.has(from)) add(pointOf(from.slice(from.indexOf(' ') + 1)));
    ways.push({ from, to, label, when, isAside });
  };
  const { before, after } = design.hooks ?? {};
  const start = keyOf('call', callStarts);
  const [entry, ...alternates] = entriesOf(design).map(({ stepId }) => keyOf('step', stepId));
  const root = before?.rootNodeId;
  lead(start, root === undefined ? (entry ?? '') : keyOf('before', root));
  for (const [name, node] of Object.entries(before?.entryPoints ?? {}))
    lead(start, keyOf('before', node), name, true);
  for (const alternate of alternates) lead(start, alternate, 'alternate', true);
  for (const { phase, key, node } of nodesOf(design))
    for (const { label, to, when } of waysOn(phase, node))
      lead(keyOf(phase, key), to ?? (phase === 'before' ? (entry ?? '') : ''), label, false, when);
  for (const [id, step] of Object.entries(design.steps))
    for (const { label, stepId } of stepExits(id, step))
      lead(keyOf('step', id), keyOf('step', stepId), label);
  for (const { label, stepId } of commandExitsOf(design))
    lead(keyOf('call', callerAsks), keyOf('step', stepId), label, true);
  for (const [name, node] of Object.entries(after?.entryPoints ?? {})) {
    const isStep = stepOf(design, name) !== undefined;
    lead(
      isStep ? keyOf('step', name) : keyOf('call', callEnds),
      keyOf('after', node),
      isStep ? '' : name,
      true,
    );
  }
  if (after?.prematureHangupNodeId !== undefined)
    lead(keyOf('call', callerHangsUp), keyOf('after', after.prematureHangupNodeId), '', true);
  return { shapes, ways };
}

/** The key of a shape. A step and a hook node may have the same id. */
export function keyOf(at: Shape['at'], id: string): string {
  return `${at} ${id}`;
}

/** The exits of a step. Options without a target lead to the fallback. */
function stepExits(id: string, step: Step): { label: string; stepId: string }[] {
  const exits: { label: string; stepId: string }[] = exitsOf(id, step);
  const fallback = step.kind === 'route' ? step.on?.fallback : undefined;
  if (step.kind === 'route' && fallback !== undefined)
    for (const option of step.options)
      if (option.target === undefined) exits.push({ label: option.id, stepId: fallback });
  return exits;
}

/** Where a hook node leads, by key; undefined if the chain ends. */
function waysOn(phase: HookPhase, node: HookNode): { label: string; to: string | undefined; when: string }[] {
  const open = endsOpenly(node) ? [{ label: '', to: undefined, when: '' }] : [];
  const targets = targetsOf(node, []).map(({ label, branch, target: { hookNode, step } }) => ({
    label: label === 'next' ? '' : label,
    when: whenTaken(node, branch),
    to:
      step === undefined
        ? hookNode === undefined
          ? undefined
          : keyOf(phase, hookNode)
        : keyOf('step', step),
  }));
  return [...targets, ...open];
}

function whenTaken({ condition }: HookNode, index: number | undefined): string {
  const branch = index === undefined ? undefined : condition?.branches[index];
  return branch && 'calendarDate' in branch ? calendarWords(branch.calendarDate) : '';
}

function stepShape(
  id: string,
  { kind, name }: Step,
  special: Pick<PlainShape, 'isEntry' | 'isReachable'>,
): PlainShape {
  const words = [special.isEntry && 'entry', !special.isReachable && 'unreachable', kind];
  return { at: 'step', id, kind, ...wordsOf(id, name, words), ...special };
}

function nodeShape(
  phase: HookPhase,
  key: string,
  { id: _, name, next: __, ...blocks }: HookNode,
): PlainShape {
  const words = [Object.keys(blocks).join(', ') || 'no action'];
  return { at: phase, id: key, kind: '', ...wordsOf(key, name, words), isEntry: false, isReachable: true };
}

/** The title is the name, and the id follows in the detail. Without a visible name, the id is the title. */
function wordsOf(id: string, name: string | undefined, words: readonly (string | false)[]) {
  const shownId = lineOf(id) === '' ? '" "' : lineOf(id);
  const title = lineOf(name ?? '') || shownId;
  const detail = title === shownId ? words : [...words, shownId];
  return { title, detail: detail.filter((word) => word !== false).join(' · ') };
}

function pointOf(id: string): PlainShape {
  return { at: 'call', id, kind: '', title: id, detail: '', isEntry: false, isReachable: true };
}
