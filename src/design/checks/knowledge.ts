import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: an answer step refers to an unknown entry of `knowledge`. */
export function* checkKnowledge({ steps, knowledge = [] }: Design): Generator<Problem> {
  const listed = new Set(knowledge.map(({ id }) => id));
  const hint = `Add it to knowledge, or use one of these entries: ${someOf(listed)}.`;
  for (const [stepId, step] of Object.entries(steps)) {
    if (step.kind !== 'answer') continue;
    for (const [index, id] of (step.knowledgeIds ?? []).entries())
      if (!listed.has(id))
        yield problem(
          'design_invalid',
          ['steps', stepId, 'knowledgeIds', index],
          `knowledge has no entry ${someOf([id])}.`,
          hint,
        );
  }
}
