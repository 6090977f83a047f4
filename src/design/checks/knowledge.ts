import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: an answer step refers to an unknown entry of `knowledge`. */
export function checkKnowledge({ steps, knowledge = [] }: Design): Problem[] {
  const listed = new Set(knowledge.map(({ id }) => id));
  const hint = `Add it to knowledge, or use one of these entries: ${someOf(listed)}.`;
  return Object.entries(steps).flatMap(([stepId, step]) => {
    if (step.kind !== 'answer') return [];
    return (step.knowledgeIds ?? []).flatMap((id, index) =>
      listed.has(id)
        ? []
        : [
            problem(
              'design_invalid',
              ['steps', stepId, 'knowledgeIds', index],
              `knowledge has no entry ${someOf([id])}.`,
              hint,
            ),
          ],
    );
  });
}
