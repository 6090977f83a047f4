import { commandExitsOf, entriesOf, exitsOf, hears, nodesOf, stepOf, targetsOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** Warns about each step that no call can reach, neither from an entry nor from a hook. */
export function* checkReachability(design: Design, { base }: Pick<Facts, 'base'>): Generator<Problem> {
  const reached = reachableSteps(design);
  const unreached = Object.keys(design.steps).filter((stepId) => !reached.has(stepId));
  if (unreached.length === 0) return;
  const before = base && reachableSteps(base);
  for (const stepId of unreached)
    yield warning(
      ['steps', stepId],
      base && before?.has(stepId) && stepOf(base, stepId)
        ? 'No call can reach this step any more.'
        : 'No call can reach this step.',
      'Point an exit of another step to it, or remove it.',
    );
}

export function reachableSteps(design: Design): ReadonlySet<string> {
  const starts = [
    ...entriesOf(design).map(({ stepId }) => stepId),
    ...[...nodesOf(design)].flatMap(({ node, place }) =>
      targetsOf(node, place).flatMap(({ target }) => target.step ?? []),
    ),
  ];
  const reached = new Set(starts);
  const commanded = commandExitsOf(design);
  // Iterating a set also visits what is added during the iteration.
  for (const stepId of reached) {
    const step = stepOf(design, stepId);
    if (!step) continue;
    for (const exit of exitsOf(stepId, step)) reached.add(exit.stepId);
    if (hears(step)) for (const exit of commanded) reached.add(exit.stepId);
  }
  return reached;
}
