import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { nothingFound } from '../../src/resources/knowledge/nothing-found.ts';
import { untrusted } from '../../src/resources/knowledge/untrusted.ts';
import { shortenList } from '../../src/resources/record/shorten-list.ts';

const Passage = v.strictObject({
  sourceId: Cuid,
  sourceName: v.string(),
  url: v.exactOptional(v.string()),
  heading: v.exactOptional(v.string()),
  text: v.string(),
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});

const Passages = v.strictObject({
  results: v.array(Passage),
  note: v.exactOptional(v.string()),
  untrusted: v.exactOptional(v.string()),
});

/** Characters of an MCP result, about 40 KB; the worst passages beyond that are left out. */
const mostCharacters = 39_000;

export const queryKnowledge = defineTool({
  name: 'query_knowledge',
  title: 'Query a knowledge base',
  description:
    'Finds the passages of a knowledge base that match a query best: the whole question of a caller, or some words. Scores are comparable only within one response.',
  rest: {
    method: 'POST',
    path: '/v1/knowledge/{kbId}/query',
    from: { knowledgeBaseId: 'path:kbId' },
    omits: ['note', 'untrusted'],
  },
  input: v.strictObject({
    knowledgeBaseId: ref('knowledgeBase'),
    query: v.pipe(v.string(), v.maxCodePoints(10_000), v.description('In any language of the base.')),
    limit: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(50),
        v.description('Most passages to return.'),
      ),
      5,
    ),
  }),
  output: Passages,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  special: { unavailable: 'kb_query_unavailable' },
  mcp: {
    openWorld: true,
    outputSchema: false,
    shorten(answer) {
      const { results, ...more } = answer as v.InferOutput<typeof Passages>;
      return { results: shortenList(results, mostCharacters), ...more };
    },
  },
  async handler({ stores, services, caller, signal }, { knowledgeBaseId, query, limit }) {
    const { embedQuestion } = services;
    const embed = embedQuestion && (() => embedQuestion(query, signal));
    const passages = await stores.knowledgeSearch.passages(knowledgeBaseId, query, limit, embed);
    const results = found(passages, 'knowledgeBase', knowledgeBaseId);
    services.meter(caller, [{ service: 'kb', mode: null, metric: 'requests', quantity: 1 }]);
    if (results.length > 0) return { results, untrusted };
    return { results, note: await nothingFound(stores.knowledgeSources, knowledgeBaseId) };
  },
});
