import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';
import { refuseInUse } from '../../src/resources/record/in-use.ts';

export const deleteKnowledgeBase = defineTool({
  name: 'delete_knowledge_base',
  title: 'Delete a knowledge base',
  description:
    'Moves a knowledge base and its sources to the trash, if no active design uses it. restore_deleted restores and reindexes it within 30 days.',
  rest: { method: 'DELETE', path: '/v1/knowledge/{kbId}', from: { knowledgeBaseId: 'path:kbId' } },
  input: v.strictObject({ knowledgeBaseId: ref('knowledgeBase') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: { 409: ['in_use'] },
  consequences: ({ stores }, { knowledgeBaseId }) =>
    deletionInWords(stores, knowledgeBaseId, 'knowledge base'),
  async handler({ stores }, { knowledgeBaseId }) {
    const references = await stores.knowledgeBases.referrers(knowledgeBaseId);
    refuseInUse('knowledgeBase', knowledgeBaseId, references);
    return deleted('knowledgeBase', knowledgeBaseId, await stores.knowledgeBases.trash(knowledgeBaseId));
  },
});
