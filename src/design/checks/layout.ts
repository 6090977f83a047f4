import { stepOf } from '../exits.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_layout_ref`: a layout entry for an unknown step. */
export function* checkLayout(design: Design): Generator<Problem> {
  for (const stepId of Object.keys(design.layout ?? {}))
    if (!stepOf(design, stepId))
      yield problem(
        'invalid_layout_ref',
        ['layout', stepId],
        `There is no step ${someOf([stepId])}.`,
        'Remove the entry, or add the step. Or leave out layout: the service then keeps it for the steps that remain.',
      );
}
