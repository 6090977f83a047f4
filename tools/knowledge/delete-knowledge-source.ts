import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { lockKnowledgeBase } from '../../src/resources/knowledge/schema.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';

export const deleteKnowledgeSource = defineTool({
  name: 'delete_knowledge_source',
  title: 'Delete a knowledge source',
  description:
    'Moves a source to the trash: queries no longer find it. restore_deleted restores and reindexes it.',
  rest: {
    method: 'DELETE',
    path: '/v1/knowledge/{kbId}/sources/{id}',
    from: { knowledgeBaseId: 'path:kbId', sourceId: 'path:id' },
  },
  input: v.strictObject({ knowledgeBaseId: ref('knowledgeBase'), sourceId: ref('knowledgeSource') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  consequences: ({ stores }, { sourceId }) =>
    deletionInWords(stores, sourceId, 'knowledge source', () => 'Agents no longer find what it says.'),
  async handler({ stores }, { knowledgeBaseId, sourceId }) {
    await lockKnowledgeBase(stores, knowledgeBaseId);
    const trashId = await stores.knowledgeSources.trash(knowledgeBaseId, sourceId);
    return deleted('knowledgeSource', sourceId, trashId);
  },
});
