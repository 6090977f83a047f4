import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** Warns about each option without a target in a route without a fallback: choosing it ends the call. */
export function* checkDeadEnds({ steps }: Design): Generator<Problem> {
  for (const [stepId, step] of Object.entries(steps)) {
    if (step.kind !== 'route' || step.on?.fallback !== undefined) continue;
    for (const [index, { target }] of step.options.entries())
      if (target === undefined)
        yield warning(
          ['steps', stepId, 'options', index],
          'This option has no target and the route has no fallback, so choosing it ends the call.',
          'Add a target to the option, or on.fallback to the route.',
        );
  }
}
