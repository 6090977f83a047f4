import { exitsOf, stepOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, someOf, warning } from '../problem.ts';
import type { Design, Step } from '../schema/design.ts';

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
