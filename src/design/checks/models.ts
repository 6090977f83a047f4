import type { Facts } from '../facts.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid` for an answer step that names a model which this installation does not offer. */
export function* checkModels(
  { steps }: Design,
  { models: { names, takesOthers } }: Facts,
): Generator<Problem> {
  if (takesOthers) return;
  for (const [stepId, step] of Object.entries(steps))
    if (step.kind === 'answer' && step.model !== undefined && !names.includes(step.model))
      yield problem(
        'design_invalid',
        ['steps', stepId, 'model'],
        `There is no model ${someOf([step.model])} here.`,
        names.length > 0
          ? `Choose one of ${someOf(names)}, or leave model out.`
          : 'No chat model is configured, so leave model out.',
      );
}
