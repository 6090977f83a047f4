import { entriesOf, exitsOf, nodesOf, stepOf, targetsOf } from '../exits.ts';
import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** A warning for each step that no call can come to: not from the entries, and not from a hook. */
export function checkReachability(design: Design): Problem[] {
  const reached = reachableSteps(design);
  return Object.keys(design.steps)
    .filter((stepId) => !reached.has(stepId))
    .map((stepId) =>
      warning(
        ['steps', stepId],
        'No call can come to this step.',
        'Lead an exit of another step here, or remove it.',
      ),
    );
}

/** The steps that a call can come to. */
export function reachableSteps(design: Design): ReadonlySet<string> {
  const starts = [
    ...entriesOf(design).map(({ stepId }) => stepId),
    ...[...nodesOf(design)].flatMap(({ node, place }) =>
      targetsOf(node, place).flatMap(({ target }) => target.step ?? []),
    ),
  ];
  const reached = new Set(starts);
  // A set that grows while it is walked is walked to its end.
  for (const stepId of reached) {
    const step = stepOf(design, stepId);
    if (step) for (const exit of exitsOf(stepId, step)) reached.add(exit.stepId);
  }
  return reached;
}
