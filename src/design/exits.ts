import type { Place } from './problem.ts';
import type { Design, HookNode, HookPhase, Step, Target } from './schema/design.ts';

/** A reference to a step, from another step or from `entry`. */
export interface Exit {
  readonly place: Place;
  readonly stepId: string;
  /** The name of the exit: `next`, `declined`, the id of an option. */
  readonly label: string;
}

/** A target of a hook node, with the name of its exit. */
export interface NodeTarget {
  readonly place: Place;
  readonly target: Target;
  readonly label: string;
  /** The index of the branch of a condition; that of `else` follows the last one. Undefined for any other exit. */
  readonly branch: number | undefined;
}

/** Every exit of a step: the targets of its options, then the members of `on`. */
export function exitsOf(stepId: string, step: Step): Exit[] {
  const at = ['steps', stepId];
  const options = step.kind === 'route' ? step.options : [];
  const chosen = options.flatMap(({ id, target }, index) =>
    target === undefined ? [] : [{ place: [...at, 'options', index, 'target'], stepId: target, label: id }],
  );
  const named = 'on' in step && step.on ? Object.entries(step.on) : [];
  return [...chosen, ...named.map(([label, to]) => ({ place: [...at, 'on', label], stepId: to, label }))];
}

/** The exit by which a call leaves a step because of a command. */
export function commandExit(id: string): string {
  return `asks for ${id}`;
}

export function isCommandExit(label: string): boolean {
  return label.startsWith(commandExit(''));
}

/** Every step that a caller can get to by asking for something at any step. */
export function commandExitsOf({ hooks }: Design): Exit[] {
  return Object.entries(hooks?.commands ?? {}).flatMap(([id, { next }]) =>
    next?.step === undefined
      ? []
      : [{ place: ['hooks', 'commands', id, 'next', 'step'], stepId: next.step, label: commandExit(id) }],
  );
}

/** True for a step that hears the caller. */
export function hears({ kind }: Step): boolean {
  return kind === 'recordingConsent' || kind === 'collect' || kind === 'route' || kind === 'answer';
}

/** Every node of both hooks, with its place in the design. */
export function* nodesOf({
  hooks,
}: Design): Generator<{ phase: HookPhase; key: string; node: HookNode; place: Place }> {
  for (const phase of ['before', 'after'] as const)
    for (const [key, node] of Object.entries(hooks?.[phase]?.nodes ?? {}))
      yield { phase, key, node, place: ['hooks', phase, 'nodes', key] };
}

/** The names of the exits of a step or a hook node that the design writes out. */
export function exitNamesOf(place: Step | HookNode): string[] {
  return ('kind' in place ? exitsOf('', place) : targetsOf(place, [])).map(({ label }) => label);
}

export function targetsOf(node: HookNode, place: Place): NodeTarget[] {
  const { next, condition, crmLookup, calendar } = node;
  const found: NodeTarget[] = [];
  if (next) found.push({ place: [...place, 'next'], target: next, label: 'next', branch: undefined });
  for (const [index, branch] of (condition?.branches ?? []).entries())
    found.push({
      place: [...place, 'condition', 'branches', index, 'next'],
      target: branch.next,
      label: branch.id,
      branch: index,
    });
  if (condition)
    found.push({
      place: [...place, 'condition', 'else'],
      target: condition.else,
      label: 'else',
      branch: condition.branches.length,
    });
  if (crmLookup?.onNotFound)
    found.push({
      place: [...place, 'crmLookup', 'onNotFound'],
      target: crmLookup.onNotFound,
      label: 'onNotFound',
      branch: undefined,
    });
  for (const label of ['onTaken', 'onNone'] as const) {
    const target = calendar?.[label];
    if (target) found.push({ place: [...place, 'calendar', label], target, label, branch: undefined });
  }
  return found;
}

/** True if the chain ends after this node because the node has neither `next` nor a condition. */
export function endsOpenly({ next, condition }: HookNode): boolean {
  return next === undefined && condition === undefined;
}

/** Where a call can start: the entry, then its alternates. */
export function entriesOf({ entry }: Design): Exit[] {
  const alternates = entry.alternates ?? [];
  return [
    { place: ['entry', 'stepId'], stepId: entry.stepId, label: 'entry' },
    ...alternates.map((stepId, index) => ({
      place: ['entry', 'alternates', index],
      stepId,
      label: 'alternate',
    })),
  ];
}

/** A step by id. Looks at own members only, because `constructor` is a valid id. */
export function stepOf(design: Design, stepId: string): Step | undefined {
  return Object.hasOwn(design.steps, stepId) ? design.steps[stepId] : undefined;
}
