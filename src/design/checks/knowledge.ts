import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: an answer step names knowledge that the document does not list. */
export function checkKnowledge({ steps, knowledge = [] }: Design): Problem[] {
  const listed = new Set(knowledge.map(({ id }) => id));
  const hint = `List it in knowledge, or name one of ${someOf(listed)}.`;
  return Object.entries(steps).flatMap(([stepId, step]) => {
    if (step.kind !== 'answer') return [];
    return (step.knowledgeIds ?? []).flatMap((id, index) =>
      listed.has(id)
        ? []
        : [
            problem(
              'design_invalid',
              ['steps', stepId, 'knowledgeIds', index],
              `There is no knowledge ${someOf([id])}.`,
              hint,
            ),
          ],
    );
  });
}
