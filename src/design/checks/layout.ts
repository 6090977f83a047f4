import { stepOf } from '../exits.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_layout_ref`: a layout entry names a step that the document does not have. */
export function checkLayout(design: Design): Problem[] {
  return Object.keys(design.layout ?? {})
    .filter((stepId) => !stepOf(design, stepId))
    .map((stepId) =>
      problem(
        'invalid_layout_ref',
        ['layout', stepId],
        `There is no step ${someOf([stepId])}.`,
        'Remove the entry, or add the step. A layout that is left out is kept for the steps that remain.',
      ),
    );
}
