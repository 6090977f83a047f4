import { entriesOf, exitsOf, nodesOf, stepOf, targetsOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_transition`: an entry, an exit or a target leads to an unknown step. */
export function checkTransitions(design: Design): Problem[] {
  const hint = `Add the step, or use one of these: ${someOf(Object.keys(design.steps))}.`;
  const missing = (stepId: string, place: Place) =>
    stepOf(design, stepId)
      ? []
      : [problem('invalid_transition', place, `There is no step ${someOf([stepId])}.`, hint)];
  const references = [
    ...entriesOf(design),
    ...Object.entries(design.steps).flatMap(([stepId, step]) => exitsOf(stepId, step)),
  ];
  const targets = [...nodesOf(design)].flatMap(({ node, place }) => targetsOf(node, place));
  return [
    ...references.flatMap(({ stepId, place }) => missing(stepId, place)),
    ...targets.flatMap(({ target: { step }, place }) =>
      step === undefined ? [] : missing(step, [...place, 'step']),
    ),
  ];
}
