import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { embeds } from '../../helpers/openai-wire.ts';
import { answers, type Reaction } from '../../helpers/upstream.ts';
import { upstreamKey } from '../../helpers/world.ts';
import {
  conceptDimensions,
  conceptVector,
  type EmbeddingWorld,
  embedsConcepts,
  openEmbeddingWorld,
  passage,
} from './embedding-world.ts';
import { type LocalSite, openSite, page } from './local-site.ts';
import { storeSite } from './site-documents.ts';

let world: EmbeddingWorld;
let site: LocalSite;
let project: KnowledgeProject;
beforeAll(async () => {
  [world, site] = await Promise.all([openEmbeddingWorld(), openSite()]);
}, 60_000);
beforeEach(async () => {
  for (const table of ['knowledge_pages', 'knowledge_sources', 'knowledge_bases'])
    await world.rows(`delete from ${table}`);
  world.upstream.reacts(embedsConcepts);
  world.upstream.received.length = 0;
  world.logged.length = 0;
  project = await openKnowledgeProject(world);
});
afterAll(async () => {
  site.close();
  await world.close();
});

/** Starts workers, which stop at the end of the test. */
async function work(model?: string): Promise<() => Promise<void>> {
  const stop = await world.startWorkers([site.place], model);
  let stopped: Promise<void> | undefined;
  const once = () => (stopped ??= stop());
  onTestFinished(once);
  return once;
}

/** Stores pages of one passage each, as indexing does. */
const store = (...texts: string[]) =>
  storeSite(
    world.core.knex,
    project.projectId,
    project.knowledgeBaseId,
    texts.map((text, index) => ({
      name: `site/${index}.html`,
      bytes: Buffer.of(),
      chunks: [passage(text, index === 0 ? 'First > Page' : '')],
    })),
  );

async function ask(query: string): Promise<string[]> {
  const { body } = await project.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, { query });
  return body.results.map(({ text }: { text: string }) => text);
}

const embedded = () =>
  world.rows(
    'select text, model from knowledge_embeddings join knowledge_chunks using (project_id, source_id, url, position) order by text',
  );
/** The inputs of requests to the model, without the one that tries it. */
const inputsOf = () =>
  world.upstream.received.map(({ body }) => body.input).filter((input: string[]) => input[0] !== 'Parley');

test('embeds existing pages with their headings, once, up to 64 texts in a request', async () => {
  await store(...Array.from({ length: 150 }, (_, index) => `Passage ${index} of many.`));
  const stop = await work();
  await world.embedded();
  await stop();
  const inputs = inputsOf();
  expect(inputs.flat()).toHaveLength(150);
  expect(inputs.flat()).toContain('First > Page\n\nPassage 0 of many.');
  expect(inputs.length).toBeLessThan(20);
  expect(Math.max(...inputs.map(({ length }: string[]) => length))).toBeLessThanOrEqual(64);
});

test('splits long texts into several requests', async () => {
  const chunks = Array.from({ length: 4 }, (_, index) => passage(`${index} `.repeat(20_000)));
  const document = { name: 'documents/long.md', bytes: Buffer.of(), chunks };
  await storeSite(world.core.knex, project.projectId, project.knowledgeBaseId, [document]);
  await work();
  await world.embedded();
  expect(inputsOf().map(({ length }: string[]) => length)).toStrictEqual([2, 2]);
  expect(await embedded()).toHaveLength(4);
});

test('embeds new pages after indexing, and changed pages again', async () => {
  site.pages.set('/', page('Cabins', 'Every cabin has a berth and a window to the sea.'));
  await work();
  const source = await project.newSource({ type: 'website', name: 'Site', url: `${site.base}/` });
  await project.settled(source);
  await world.embedded();
  expect(await ask('slumber')).toStrictEqual([expect.stringContaining('berth')]);
  site.pages.set('/', page('Harbour', 'Yachts may anchor for one night without a fee.'));
  await project.reindex(source);
  await project.settled(source);
  await world.embedded();
  expect(await ask('moor')).toStrictEqual([expect.stringContaining('anchor')]);
  expect(await embedded()).toHaveLength(1);
});

test('discards the vectors of a text that changed during the request', async () => {
  site.pages.set('/', page('Cabins', 'Every cabin has a berth and a window to the sea.'));
  let release: (() => void) | undefined;
  const held: Reaction = async (request, response) => {
    if (!request.body.input.some((text: string) => text.includes('berth')))
      return embedsConcepts(request, response);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await embedsConcepts(request, response);
  };
  world.upstream.reacts(held);
  await work();
  const source = await project.newSource({ type: 'website', name: 'Site', url: `${site.base}/` });
  await project.settled(source);
  await vi.waitFor(() => expect(release).toBeDefined(), 10_000);
  site.pages.set('/', page('Harbour', 'Yachts may anchor for one night without a fee.'));
  await project.reindex(source);
  await project.settled(source);
  expect(await embedded()).toStrictEqual([]);
  release?.();
  await world.embedded();
  expect(await embedded()).toMatchObject([{ text: expect.stringContaining('anchor') }]);
  const [found] = await world.rows('select embedding::text as vector from knowledge_embeddings');
  const vector: number[] = JSON.parse(String(found?.['vector']));
  // The concept of the harbour, not that of sleep.
  expect(vector[2]).toBeGreaterThan(0.5);
  expect(vector[0]).toBeLessThan(0.1);
});

test('embeds everything again after a change of the model', async () => {
  await store('A berth for each.', 'An anchor for all.');
  const stop = await work();
  await world.embedded();
  await stop();
  await work('others');
  await world.embedded(`others ${conceptDimensions}`);
  expect(await embedded()).toMatchObject([{ model: 'others 32' }, { model: 'others 32' }]);
  // A server with the old model finds passages by words alone.
  expect(await ask('slumber')).toStrictEqual([]);
  expect(await ask('anchor')).toHaveLength(1);
});

test('embeds the other texts if the model refuses one, which is found by words', async () => {
  await store('A berth for each.', 'A forbidden anchor.', 'A galley with stew.');
  world.upstream.reacts((request, response) => {
    const isRefused = request.body.input.some((text: string) => text.includes('forbidden'));
    return (isRefused ? answers(400, { error: { message: 'a word' } }) : embedsConcepts)(request, response);
  });
  const stop = await work();
  await world.embedded();
  await stop();
  expect((await embedded()).map(({ text }) => text)).toStrictEqual([
    'A berth for each.',
    'A galley with stew.',
  ]);
  expect(await ask('forbidden')).toContain('A forbidden anchor.');
});

test.each<[what: string, reaction: Reaction, reason: string]>([
  ['refuses everything', answers(400, { error: {} }), 'embedder rejected a text with 400, whatever the text'],
  ['knows no such model', answers(404, { error: {} }), 'embedder returned 404'],
  ['rejects the key', answers(401, { error: { message: upstreamKey } }), 'embedder returned 401'],
  [
    'returns too long vectors',
    embeds(() => Array.from({ length: 4_001 }, () => 1)),
    'embedder returned vectors of 4001 numbers; at most 4000 fit: set dimensions',
  ],
])('logs and retries a server that %s', async (_, reaction, reason) => {
  await store('A berth for each.');
  world.upstream.reacts(reaction);
  await work();
  const lines = () => world.logLines('texts are not embedded').map((line) => [line.reason, line.wait]);
  await vi.waitFor(() => expect(lines()).toContainEqual([reason, 1_000]), 10_000);
  expect(await embedded()).toStrictEqual([]);
  expect(await world.rows(`select from knowledge_pages where embedded_by <> ''`)).toStrictEqual([]);
  world.upstream.reacts(embedsConcepts);
  await world.embedded();
  expect(await embedded()).toHaveLength(1);
  world.expectNoSecrets();
});

test('waits longer after each failure', async () => {
  await store('A berth for each.');
  world.upstream.reacts(answers(500, {}));
  await work();
  const waits = () => world.logLines('texts are not embedded').map(({ wait }) => wait);
  await vi.waitFor(() => expect(waits()).toStrictEqual([1_000, 2_000]), 10_000);
});

test('retries a busy server after its Retry-After', async () => {
  await store('A berth for each.');
  world.upstream.reactsNext(answers(429, { error: {} }, { 'retry-after': '2' }));
  await work();
  await vi.waitFor(() => expect(world.logLines('texts are not embedded')).toHaveLength(1), 10_000);
  expect(world.logLines('texts are not embedded')).toMatchObject([
    { reason: 'embedder returned 429', wait: 2_000 },
  ]);
  await world.embedded();
});

test('embeds the pages of a failed batch in the next attempt', async () => {
  await store('A berth for each.', 'An anchor for all.');
  world.upstream.reactsNext(embedsConcepts, answers(503, {}));
  await work();
  await world.embedded();
  expect(world.logLines('texts are not embedded')).toMatchObject([{ reason: 'embedder returned 503' }]);
  expect(await embedded()).toHaveLength(2);
});

test('compares vectors by direction, and ignores a vector of zeros', async () => {
  await store('A berth for each.', 'An anchor for all.', 'Nothing.');
  world.upstream.reacts(
    embeds((text) => {
      if (text.includes('Nothing')) return Array.from({ length: conceptDimensions }, () => 0);
      return conceptVector(text).map((number) => number * (text.includes('berth') ? 1e9 : 1e-9));
    }),
  );
  await work();
  await world.embedded();
  expect((await embedded()).map(({ text }) => text)).toStrictEqual([
    'A berth for each.',
    'An anchor for all.',
  ]);
  expect((await ask('slumber'))[0]).toBe('A berth for each.');
  expect((await ask('moor'))[0]).toBe('An anchor for all.');
});

test('deletes vectors with their pages', async () => {
  site.pages.set('/', page('Cabins', 'Every cabin has a berth and a window to the sea.'));
  await work();
  const source = await project.newSource({ type: 'website', name: 'Site', url: `${site.base}/` });
  await project.settled(source);
  await world.embedded();
  expect(await project.remove(source)).toMatchObject({ status: 200 });
  expect(await ask('slumber')).toStrictEqual([]);
  await vi.waitFor(async () => expect(await embedded()).toStrictEqual([]), 10_000);
});

test('creates an index for each model', async () => {
  await store('A berth for each.');
  await work();
  await world.embedded();
  const indexes = await world.rows(
    `select indexdef from pg_indexes where tablename = 'knowledge_embeddings' and indexdef like '%hnsw%'`,
  );
  expect(indexes).toContainEqual({
    indexdef: expect.stringMatching(
      /hnsw \(\(\(embedding\)::halfvec\(32\)\) halfvec_cosine_ops\) WHERE \(model = 'concepts 32'::text\)$/,
    ),
  });
});
