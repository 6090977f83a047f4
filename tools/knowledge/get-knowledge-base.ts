import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeBase } from '../../src/resources/knowledge/schema.ts';

export const getKnowledgeBase = defineTool({
  name: 'get_knowledge_base',
  title: 'Get a knowledge base',
  description: 'Reads one knowledge base, without its sources.',
  rest: { method: 'GET', path: '/v1/knowledge/{kbId}', from: { knowledgeBaseId: 'path:kbId' } },
  input: v.strictObject({ knowledgeBaseId: ref('knowledgeBase') }),
  output: KnowledgeBase,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  handler: async ({ stores }, { knowledgeBaseId }) =>
    found(await stores.knowledgeBases.find(knowledgeBaseId), 'knowledgeBase', knowledgeBaseId),
});
