import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { deletionInWords } from '../../src/resources/consequences.ts';
import { Deleted, deleted } from '../../src/resources/deleted.ts';
import { holdKnowledgeBase } from '../../src/resources/knowledge/schema.ts';
import { ref } from '../../src/tool/reference.ts';

export const deleteKnowledgeSource = defineTool({
  name: 'delete_knowledge_source',
  title: 'Delete a knowledge source',
  description:
    'Moves a source to the trash and stops its indexing. Queries no longer find it. restore_deleted restores and reindexes it.',
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
    await holdKnowledgeBase(stores, knowledgeBaseId);
    const trashId = await stores.knowledgeSources.trash(knowledgeBaseId, sourceId);
    return deleted('knowledgeSource', sourceId, trashId);
  },
});
