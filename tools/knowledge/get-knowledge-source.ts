import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeSourceDetails } from '../../src/resources/knowledge/schema.ts';

export const getKnowledgeSource = defineTool({
  name: 'get_knowledge_source',
  title: 'Get a knowledge source',
  description:
    'Reads one source. progress rises from 0 to 100 while indexingStatus is inProgress. If indexing failed, it is idle and has an error.',
  rest: {
    method: 'GET',
    path: '/v1/knowledge/{kbId}/sources/{id}',
    from: { knowledgeBaseId: 'path:kbId', sourceId: 'path:id' },
  },
  input: v.strictObject({ knowledgeBaseId: ref('knowledgeBase'), sourceId: ref('knowledgeSource') }),
  output: KnowledgeSourceDetails,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }, { knowledgeBaseId, sourceId }) {
    found(await stores.knowledgeBases.find(knowledgeBaseId), 'knowledgeBase', knowledgeBaseId);
    const source = await stores.knowledgeSources.find(knowledgeBaseId, sourceId);
    return found(source, 'knowledgeSource', sourceId);
  },
});
