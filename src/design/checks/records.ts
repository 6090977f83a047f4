import type { Facts } from '../facts.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `not_found`: the project has no such knowledge base or conversation. */
export function checkRecords(
  { knowledge = [], steps }: Design,
  facts: Pick<Facts, 'knowledgeBaseIds' | 'conversationIds'>,
): Problem[] {
  const bases = knowledge.flatMap(({ knowledgeBaseId }, index) =>
    facts.knowledgeBaseIds.has(knowledgeBaseId)
      ? []
      : [
          problem(
            'not_found',
            ['knowledge', index, 'knowledgeBaseId'],
            `There is no knowledge base ${someOf([knowledgeBaseId])} in this project.`,
            'list_knowledge_bases shows the ids. Or remove the entry and the steps that refer to it.',
          ),
        ],
  );
  const transfers = Object.entries(steps).flatMap(([stepId, step]) => {
    if (step.kind !== 'transfer' || step.destination.kind !== 'conversation') return [];
    const { value } = step.destination;
    if (facts.conversationIds.has(value)) return [];
    return [
      problem(
        'not_found',
        ['steps', stepId, 'destination', 'value'],
        `There is no conversation ${someOf([value])} in this project.`,
        'list_conversations shows the ids.',
      ),
    ];
  });
  return [...bases, ...transfers];
}
