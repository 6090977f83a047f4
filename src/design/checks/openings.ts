import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** Warns about each greeting without a fixed line, because nothing guarantees that it discloses the AI. */
export function* checkOpenings({ steps }: Design): Generator<Problem> {
  for (const [stepId, step] of Object.entries(steps))
    if (step.kind === 'greeting' && step.introLine === undefined)
      yield warning(
        ['steps', stepId],
        'This greeting has no introLine, so it may not say that an AI speaks.',
        'Add an introLine that says so, such as "Hello, I am the AI assistant of …".',
      );
}
