import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** A warning for each greeting without a fixed line: nothing then proves that the caller hears of the AI. */
export function checkOpenings({ steps }: Design): Problem[] {
  return Object.entries(steps).flatMap(([stepId, step]) =>
    step.kind === 'greeting' && step.introLine === undefined
      ? [
          warning(
            ['steps', stepId],
            'Has no introLine, so nothing says for certain that an AI speaks.',
            'Add an introLine that tells the caller that an AI speaks.',
          ),
        ]
      : [],
  );
}
