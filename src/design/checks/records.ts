import type { Facts } from '../facts.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `not_found`: the project has no such knowledge base or conversation. */
export function* checkRecords(
  { knowledge = [], steps }: Design,
  facts: Pick<Facts, 'knowledgeBaseIds' | 'conversationIds' | 'nameHints'>,
): Generator<Problem> {
  for (const [index, { knowledgeBaseId }] of knowledge.entries())
    if (!facts.knowledgeBaseIds.has(knowledgeBaseId))
      yield problem(
        'not_found',
        ['knowledge', index, 'knowledgeBaseId'],
        `There is no knowledge base ${someOf([knowledgeBaseId])} in this project.`,
        `${facts.nameHints?.get(`knowledgeBase ${knowledgeBaseId}`) ?? 'list_knowledge_bases shows the ids.'} Or remove the entry and the steps that refer to it.`,
      );
  for (const [stepId, step] of Object.entries(steps)) {
    if (step.kind !== 'transfer' || step.destination.kind !== 'conversation') continue;
    const { value } = step.destination;
    if (!facts.conversationIds.has(value))
      yield problem(
        'not_found',
        ['steps', stepId, 'destination', 'value'],
        `There is no conversation ${someOf([value])} in this project.`,
        facts.nameHints?.get(`conversation ${value}`) ?? 'list_conversations shows the ids.',
      );
  }
}
