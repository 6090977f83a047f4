import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeBase } from '../../src/resources/knowledge/schema.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';

export const listKnowledgeBases = defineTool({
  name: 'list_knowledge_bases',
  title: 'List knowledge bases',
  description: 'Lists knowledge bases, newest first. Answer steps of designs refer to them by id.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/knowledge-bases' },
  input: v.strictObject({ projectId: ref('project'), limit: limitOr(50), cursor: idCursor('knowledgeBase') }),
  output: v.strictObject({ knowledgeBases: v.array(KnowledgeBase), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'knowledgeBases', cursor: 'id' } },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.knowledgeBases.list({ limit, cursor });
    return { knowledgeBases: items, ...more };
  },
});
