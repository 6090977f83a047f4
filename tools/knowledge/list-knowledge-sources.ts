import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeSourceDetails } from '../../src/resources/knowledge/schema.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';

export const listKnowledgeSources = defineTool({
  name: 'list_knowledge_sources',
  title: 'List knowledge sources',
  description: 'Lists the websites and files of a knowledge base with their progress, newest first.',
  rest: { method: 'GET', path: '/v1/knowledge/{kbId}/sources', from: { knowledgeBaseId: 'path:kbId' } },
  input: v.strictObject({
    knowledgeBaseId: ref('knowledgeBase'),
    limit: limitOr(50),
    cursor: idCursor('knowledgeSource'),
  }),
  output: v.strictObject({ sources: v.array(KnowledgeSourceDetails), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'sources', cursor: 'id' } },
  async handler({ stores }, { knowledgeBaseId, limit, cursor }) {
    found(await stores.knowledgeBases.find(knowledgeBaseId), 'knowledgeBase', knowledgeBaseId);
    const { items, ...more } = await stores.knowledgeSources.list(knowledgeBaseId, { limit, cursor });
    return { sources: items, ...more };
  },
});
