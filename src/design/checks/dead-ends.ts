import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** A warning for each route option without a target in a route without a fallback: choosing it leads nowhere. */
export function checkDeadEnds({ steps }: Design): Problem[] {
  return Object.entries(steps).flatMap(([stepId, step]) => {
    if (step.kind !== 'route' || step.on?.fallback !== undefined) return [];
    return step.options.flatMap(({ target }, index) =>
      target === undefined
        ? [
            warning(
              ['steps', stepId, 'options', index],
              'Has no target, and the route has no fallback: choosing it ends the call.',
              'Give it a target, or the route an on.fallback.',
            ),
          ]
        : [],
    );
  });
}
