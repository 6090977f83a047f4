import { entriesOf, exitsOf, nodesOf, stepOf, targetsOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_transition`: an entry, an exit or a target names a step that the document does not have. */
export function checkTransitions(design: Design): Problem[] {
  const known = `The steps are ${someOf(Object.keys(design.steps))}: name one of them, or add the step.`;
  const missing = (stepId: string, place: Place) =>
    stepOf(design, stepId)
      ? []
      : [problem('invalid_transition', place, `There is no step ${someOf([stepId])}.`, known)];
  const named = [
    ...entriesOf(design),
    ...Object.entries(design.steps).flatMap(([stepId, step]) => exitsOf(stepId, step)),
  ];
  const targets = [...nodesOf(design)].flatMap(({ node, place }) => targetsOf(node, place));
  return [
    ...named.flatMap(({ stepId, place }) => missing(stepId, place)),
    ...targets.flatMap(({ target: { step }, place }) =>
      step === undefined ? [] : missing(step, [...place, 'step']),
    ),
  ];
}
