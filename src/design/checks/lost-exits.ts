import { exitsOf, stepOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, someOf, warning } from '../problem.ts';
import type { Design, Step } from '../schema/design.ts';
import { reachableSteps } from './reachability.ts';

/** Characters of a removed option that a hint repeats. */
const longestOption = 300;

/** Warns about each exit that a step of the version before had and that the same step has no more. */
export function* checkLostExits({ steps }: Design, { base }: Pick<Facts, 'base'>): Generator<Problem> {
  if (base === undefined) return;
  for (const [stepId, step] of Object.entries(steps)) {
    const before = stepOf(base, stepId);
    if (before === undefined || before === step || before.kind !== step.kind) continue;
    const left = new Set(exitsOf(stepId, step).map(keyOf));
    for (const exit of exitsOf(stepId, before))
      if (!left.has(keyOf(exit)))
        yield warning(
          ['steps', stepId],
          `The exit ${someOf([exit.label])} to ${someOf([exit.stepId])} is gone.`,
          `If callers still need it, call edit_design with merge ${JSON.stringify({ steps: { [stepId]: restoring(before, exit) } })}.`,
        );
  }
}

/**
 * A problem for each option that callers of the active version could choose to get somewhere, and that now leads nowhere:
 * it is still offered, but has no target, and its route no fallback.
 */
export function* deadOptions(design: Design, active: Design): Generator<Problem> {
  const reached = reachableSteps(design);
  for (const [stepId, step] of Object.entries(design.steps)) {
    const before = stepOf(active, stepId);
    if (step.kind !== 'route' || before?.kind !== 'route' || !reached.has(stepId)) continue;
    if (step.on?.fallback !== undefined) continue;
    for (const [index, { id, target }] of step.options.entries()) {
      const led = before.options.find((option) => option.id === id)?.target ?? before.on?.fallback;
      if (target === undefined && led !== undefined)
        yield warning(
          ['steps', stepId, 'options', index],
          `The option ${someOf([id])} led to ${someOf([led])} in the active version and leads nowhere now.`,
          `Call edit_design with merge ${JSON.stringify({ steps: { [stepId]: { options: [{ id, target: led }] } } })}, or remove the option.`,
        );
    }
  }
}

type Exit = ReturnType<typeof exitsOf>[number];

/** An option and a member of `on` may have the same name. */
function keyOf({ place, label }: Exit): string {
  return `${place[2]} ${label}`;
}

/** The part of a merge patch that restores an exit. */
function restoring(before: Step, { place, label, stepId }: Exit): object {
  if (place[2] === 'on') return { on: { [label]: stepId } };
  const option = before.kind === 'route' ? before.options.find(({ id }) => id === label) : undefined;
  const isShort = JSON.stringify(option ?? {}).length <= longestOption;
  return { options: [option && isShort ? option : { id: label, target: stepId }] };
}
