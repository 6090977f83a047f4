import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeSourceDetails, lockKnowledgeBase } from '../../src/resources/knowledge/schema.ts';
import {
  indexingProgress,
  indexingState,
  settledSource,
} from '../../src/resources/knowledge/settled-source.ts';

export const reindexKnowledgeSource = defineTool({
  name: 'reindex_knowledge_source',
  title: 'Reindex a knowledge source',
  description:
    'Indexes a source again from its start, even if it failed or is in progress. Queries find the old passages of each page until it is read again.',
  rest: {
    method: 'POST',
    path: '/v1/knowledge/{kbId}/sources/{id}/reindex',
    from: { knowledgeBaseId: 'path:kbId', sourceId: 'path:id' },
  },
  input: v.strictObject({ knowledgeBaseId: ref('knowledgeBase'), sourceId: ref('knowledgeSource') }),
  output: KnowledgeSourceDetails,
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  mcp: {
    openWorld: true,
    progressMessage: indexingProgress,
    async settle(queued, _, context) {
      const id = String(queued['id']);
      await settledSource(id, context);
      return { ...((await context.stores.knowledgeSources.details(id)) ?? queued) };
    },
    background: async ({ id }, stores) =>
      indexingState(found(await stores.knowledgeSources.details(String(id)), 'knowledgeSource', String(id))),
  },
  async handler({ stores }, { knowledgeBaseId, sourceId }) {
    await lockKnowledgeBase(stores, knowledgeBaseId);
    const source = await stores.knowledgeSources.reindex(knowledgeBaseId, sourceId);
    return found(source, 'knowledgeSource', sourceId);
  },
});
