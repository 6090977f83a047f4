import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { embeds } from '../../helpers/openai-wire.ts';
import { answers, hangs, type Reaction, resets } from '../../helpers/upstream.ts';
import { upstreamKey } from '../../helpers/world.ts';
import {
  conceptVector,
  type EmbeddingWorld,
  embedsConcepts,
  openEmbeddingWorld,
  passage,
} from './embedding-world.ts';
import { storeSite } from './site-documents.ts';

const cabins = passage('Every cabin has two berth places. Bring your own linen.', 'Cabins');
const food = passage('The galley serves until ten. Tickets are sold on board.', 'Food');
const tickets = passage('Tickets are valid on the day of issue.');

let world: EmbeddingWorld;
let project: KnowledgeProject;
let foreign: KnowledgeProject;
beforeAll(async () => {
  world = await openEmbeddingWorld();
  [project, foreign] = [await openKnowledgeProject(world), await openKnowledgeProject(world)];
  for (const { projectId, knowledgeBaseId } of [project, foreign])
    await storeSite(world.core.knex, projectId, knowledgeBaseId, [
      { name: 'site/cabins.html', bytes: Buffer.of(), chunks: [cabins, food] },
      { name: 'documents/tickets.md', bytes: Buffer.of(), chunks: [tickets] },
    ]);
  const stop = await world.startWorkers();
  await world.embedded();
  await stop();
}, 60_000);
beforeEach(() => {
  world.upstream.reacts(embedsConcepts);
  world.upstream.received.length = 0;
  world.logged.length = 0;
});
afterAll(() => world.close());

interface Result {
  readonly text: string;
  readonly score: number;
}

async function ask(query: string, limit = 5, of = project, base = of.knowledgeBaseId): Promise<Result[]> {
  const { status, body } = await of.call('POST', `/v1/knowledge/${base}/query`, { query, limit });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.results;
}

describe('a query in other words', () => {
  const question = 'where may we slumber or nap';

  test('finds the passage of the same meaning, which words alone do not find', async () => {
    const results = await ask(question);
    expect(results[0]).toStrictEqual({
      sourceId: expect.stringMatching(/^cks/),
      sourceName: 'Site',
      url: 'https://ferries.example/cabins.html',
      heading: 'Cabins',
      text: cabins.text,
      score: expect.closeTo(0.5),
    });
    world.upstream.reacts(answers(500, {}));
    expect(await ask(question)).toStrictEqual([]);
  });

  test('returns the same over MCP', async () => {
    const client = await world.mcp('modern http', project.key);
    const input = { knowledgeBaseId: project.knowledgeBaseId, query: question };
    const { content } = await client.callTool({ name: 'query_knowledge', arguments: input });
    expect(JSON.parse(content[0]?.text ?? '').results).toStrictEqual(await ask(question));
  });

  test('is embedded unchanged, once, by the configured model', async () => {
    await ask(question);
    expect(world.upstream.received.map(({ path, body }) => [path, body])).toStrictEqual([
      ['/v1/embeddings', { model: 'concepts', input: [question], encoding_format: 'float' }],
    ]);
  });
});

test('returns a passage once if it is found both ways, with score 1 if it is first both ways', async () => {
  const results = await ask('cabin berth linen', 50);
  expect(results.map(({ text }) => text)).toHaveLength(3);
  expect(new Set(results.map(({ text }) => text)).size).toBe(3);
  expect(results[0]).toMatchObject({ text: cabins.text, score: 1 });
  const scores = results.map(({ score }) => score);
  expect(scores).toStrictEqual(scores.toSorted((one, other) => other - one));
  expect(Math.min(...scores)).toBeGreaterThan(0);
});

test('ranks a passage that is found both ways before others', async () => {
  // By words alone, the query is about tickets.
  const [first, ...others] = await ask('tickets for the hungry');
  expect(first?.text).toBe(food.text);
  expect(others.map(({ text }) => text)).toContain(tickets.text);
});

test('returns the best passages up to the limit', async () => {
  const all = await ask('tickets for the hungry', 50);
  expect(await ask('tickets for the hungry', 1)).toStrictEqual(all.slice(0, 1));
});

test('never returns passages of another base or project, however near they are', async () => {
  const made = await project.call('POST', `/v1/projects/${project.projectId}/knowledge-bases`, {
    name: 'Other',
  });
  const other: string = made.body.id;
  const pier = passage('A pier for yachts.');
  await storeSite(world.core.knex, project.projectId, other, [
    { name: 'documents/pier.md', bytes: Buffer.of(), chunks: [pier] },
  ]);
  const stop = await world.startWorkers();
  await world.embedded();
  await stop();
  expect((await ask('slumber', 50, project, other)).map(({ text }) => text)).toStrictEqual([pier.text]);
  const here = await ask('moor at the quay', 50);
  expect(here.map(({ text }) => text)).not.toContain(pier.text);
  expect(here).toHaveLength(3);
  const sources = await world.rows('select id from knowledge_sources where project_id = $1', [
    project.projectId,
  ]);
  const results = (await ask('slumber', 50)) as (Result & { sourceId: string })[];
  expect(sources.map(({ id }) => id)).toEqual(
    expect.arrayContaining(results.map(({ sourceId }) => sourceId)),
  );
});

test('does not call the model for an empty query, an empty base or a missing base', async () => {
  expect(await ask('  ')).toStrictEqual([]);
  const empty = await openKnowledgeProject(world);
  expect(await ask('slumber', 5, empty)).toStrictEqual([]);
  const missing = await empty.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, {
    query: 'slumber',
  });
  expect(missing.status).toBe(404);
  expect(world.upstream.received).toStrictEqual([]);
});

test('does not find a deleted source before its removal, even if it is restored by then', async () => {
  const kept = await openKnowledgeProject(world);
  const { projectId, knowledgeBaseId, remove, trash, restore } = kept;
  await storeSite(world.core.knex, projectId, knowledgeBaseId, [
    { name: 'site/cabins.html', bytes: Buffer.of(), chunks: [cabins] },
    { name: 'documents/tickets.md', bytes: Buffer.of(), chunks: [tickets] },
  ]);
  const stop = await world.startWorkers();
  await world.embedded();
  await stop();
  const found = async () => (await ask('slumber', 5, kept)).map(({ text }) => text);
  expect(await found()).toStrictEqual([cabins.text, tickets.text]);
  const named = `select id from knowledge_sources where project_id = $1 and name = 'Site'`;
  const [site] = await world.rows(named, [projectId]);
  await remove(String(site?.['id']));
  expect(await found()).toStrictEqual([tickets.text]);
  await restore((await trash())[0]?.id);
  expect(await world.rows(named, [projectId])).toHaveLength(1);
  expect(await found()).toStrictEqual([tickets.text]);
});

describe('a model that', () => {
  const failing: [what: string, reaction: Reaction, reason: string][] = [
    [
      'refuses the question',
      answers(400, { error: { message: 'too long' } }),
      'embedder rejected a text with 400',
    ],
    ['fails', answers(500, { error: { message: `${upstreamKey} is no key` } }), 'embedder returned 500'],
    ['resets the connection', resets, 'embedder did not respond (ECONNRESET)'],
    ['answers no vectors', answers(200, { data: [] }), 'embedder returned another format than was requested'],
    [
      'answers no numbers',
      answers(200, { data: [{ index: 0, embedding: ['1'] }] }),
      'embedder returned another format than was requested',
    ],
    ['hangs', hangs, 'embedder did not respond in time'],
    ['has failed too often', hangs, 'embedder was not called because it failed too often'],
  ];
  test.each(failing)('%s leaves the search to words, and writes a log line', async (_, reaction, reason) => {
    world.upstream.reacts(reaction);
    const results = await ask('tickets');
    expect(results.map(({ text }) => text).toSorted()).toStrictEqual([food.text, tickets.text].toSorted());
    expect(
      world.logLines('a question is searched by its words alone').map((line) => line.reason),
    ).toStrictEqual([reason]);
    world.expectNoSecrets();
  });

  test('recovers is called again', async () => {
    await expect
      .poll(() => ask('slumber'), { timeout: 10_000 })
      .toMatchObject([{ text: cabins.text }, {}, {}]);
  });

  test('returns vectors of another length finds nothing by them, without an error', async () => {
    world.upstream.reacts(embeds((text) => conceptVector(text).slice(0, 8)));
    expect((await ask('tickets')).length).toBe(2);
    world.upstream.reacts(embeds(() => [0, 0, 0]));
    expect((await ask('tickets')).length).toBe(2);
  });
});
