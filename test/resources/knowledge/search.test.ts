import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { siteQueries } from './search-queries.ts';
import { isPage, readSite, storeSite, urlOf } from './site-documents.ts';

let world: World;
let project: KnowledgeProject;
beforeAll(async () => {
  const [opened, documents] = await Promise.all([openWorld(), readSite()]);
  world = opened;
  project = await openKnowledgeProject(world);
  await storeSite(world.core.knex, project.projectId, project.knowledgeBaseId, documents);
}, 60_000);
afterAll(() => world.close());

const query = (body: unknown, of = project) =>
  of.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, body);

interface Result {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly url?: string;
  readonly heading?: string;
  readonly text: string;
  readonly score: number;
}

async function resultsOf(text: string, limit?: number): Promise<Result[]> {
  const { status, body } = await query({ query: text, ...(limit !== undefined && { limit }) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.results;
}

test.each(siteQueries)('finds the passage for %s: %s', async (_, text, document, words) => {
  const results = await resultsOf(text);
  const from = ({ url, sourceName }: Result) =>
    isPage(document) ? url === urlOf(document) : sourceName === document;
  expect(results.map((result) => [result.url ?? result.sourceName, result.text.slice(0, 60)])).toSatisfy(() =>
    results.some((result) => from(result) && result.text.includes(words)),
  );
});

test('returns the url and heading of a page, no url for a file, and scores that fall from at most 1', async () => {
  const results = await resultsOf(
    'Which ticket do passengers need for a surfboard on the car deck in summer?',
    50,
  );
  expect(results).toHaveLength(50);
  expect(results.find(({ text }) => text.includes('Surfboard'))).toStrictEqual({
    sourceId: expect.stringMatching(/^cks/),
    sourceName: 'Site',
    url: urlOf('site/en/luggage.html'),
    heading: 'Luggage > Bulky things',
    text: expect.stringContaining('Surfboard'),
    score: expect.any(Number),
  });
  const scores = results.map(({ score }) => score);
  expect(scores).toStrictEqual(scores.toSorted((one, other) => other - one));
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  expect(Math.min(...scores)).toBeGreaterThan(0);
  const [first] = await resultsOf('sheep or goats', 1);
  expect(first).toMatchObject({ sourceName: 'documents/tariff.csv' });
  expect(first).not.toHaveProperty('url');
});

test('returns five results by default, and the same ones each time', async () => {
  const results = await resultsOf('ticket');
  expect(results).toHaveLength(5);
  expect(await resultsOf('ticket')).toStrictEqual(results);
  expect(await resultsOf('ticket', 2)).toStrictEqual(results.slice(0, 2));
});

test.each([
  ['an empty query', ''],
  ['blanks', ' \n\t '],
  ['stop words', 'what is this and how can I please'],
  ['no words', '?!… 🚢 — ""'],
  ['unknown words', 'xylophonist quantum'],
])('returns no results for %s', async (_, text) => {
  expect(await resultsOf(text)).toStrictEqual([]);
});

test.each([
  [`firearm'); drop table knowledge_chunks; --`],
  [`'firearm' & !( | <-> :* \\' "`],
  ['firearm\\ ? ?? $1 :id :projectId ::text'],
  ['%firearm% _irearm firearm'],
  ['<b>firearm</b>'],
])('treats %s as plain words', async (text) => {
  const results = await resultsOf(text);
  expect(results.some((result) => result.text.includes('firearm'))).toBe(true);
});

test('accepts a query of 10,000 characters, and no longer one', async () => {
  const filler = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');
  const text = `sheep goats ${filler}`.slice(0, 10_000);
  expect((await resultsOf(text))[0]?.text).toContain('sheep or goats');
  for (const long of ['ä'.repeat(10_000), 'x'.repeat(2000), `${'x'.repeat(60)} `.repeat(160)])
    expect(await resultsOf(long)).toStrictEqual([]);
  expect(await query({ query: `${text}x` })).toMatchObject({ status: 400 });
});

test('accepts only integers from 1 to 50 as limit', async () => {
  for (const limit of [0, 51, 1.5, '5'])
    expect(await query({ query: 'ticket', limit })).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ in: 'body', path: '/limit' }] } } },
    });
  expect(await query({ limit: 5 })).toMatchObject({ status: 400 });
});

test('never returns passages of another base, and returns 404 to another project and for a missing base', async () => {
  const { projectId } = project;
  const newBase = async () =>
    (await project.call('POST', `/v1/projects/${projectId}/knowledge-bases`, { name: 'Other' })).body.id;
  const [empty, other] = [await newBase(), await newBase()];
  const rule = { heading: 'Rules', text: 'No firearm is carried.', language: 'english' };
  await storeSite(world.core.knex, projectId, other, [
    { name: 'documents/rules.md', bytes: Buffer.of(), chunks: [rule] },
  ]);
  const ask = (base: string) => project.call('POST', `/v1/knowledge/${base}/query`, { query: 'firearm' });
  expect((await ask(empty)).body).toStrictEqual({ results: [] });
  expect((await ask(other)).body.results).toMatchObject([{ text: rule.text }]);
  expect((await resultsOf('firearm', 50)).map(({ text }) => text)).not.toContain(rule.text);
  expect(await query({ query: 'firearm' }, await openKnowledgeProject(world))).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
  const missing = other.slice(0, -1) + (other.endsWith('0') ? '1' : '0');
  expect(await ask(missing)).toMatchObject({ status: 404 });
});

test('ranks equal passages by the rest of their pages', async () => {
  const { projectId, knowledgeBaseId, call } = await openKnowledgeProject(world);
  const chunk = (text: string) => ({ heading: '', text, language: 'english' });
  const pageOf = (name: string, about: string) => {
    const chunks = [chunk(about), chunk('Open from nine to five on weekdays.')];
    return { name: `site/${name}.html`, bytes: Buffer.of(), chunks };
  };
  const pages = [pageOf('library', 'The library lends books.'), pageOf('museum', 'The museum shows ships.')];
  await storeSite(world.core.knex, projectId, knowledgeBaseId, pages);
  const asked = { query: 'until when is the museum open on weekdays' };
  const { body } = await call('POST', `/v1/knowledge/${knowledgeBaseId}/query`, asked);
  const hours = body.results.filter(({ text }: Result) => text.startsWith('Open from'));
  expect(hours.map(({ url }: Result) => url)).toEqual(
    ['museum', 'library'].map((name) => urlOf(`site/${name}.html`)),
  );
});

test('counts each response as one request of the service kb', async () => {
  const { projectId, knowledgeBaseId, call } = await openKnowledgeProject(world);
  for (const text of ['firearm', ''])
    await call('POST', `/v1/knowledge/${knowledgeBaseId}/query`, { query: text });
  await expect
    .poll(async () => (await call('GET', `/v1/projects/${projectId}/usage`)).body.points, { timeout: 10_000 })
    .toMatchObject([{ service: 'kb', mode: null, metric: 'requests', quantity: 2 }]);
});

test('returns the same over MCP, and only the best passages that fit', async () => {
  const client = await world.mcp('modern http', project.key);
  const ask = (limit: number) =>
    client.callTool({
      name: 'query_knowledge',
      arguments: { knowledgeBaseId: project.knowledgeBaseId, query: 'ticket', limit },
    });
  const answer = async (limit: number) => {
    const { structuredContent, content } = await ask(limit);
    return (structuredContent ?? JSON.parse(content[0]?.text ?? '')) as { results: Result[] };
  };
  expect((await answer(5)).results).toStrictEqual(await resultsOf('ticket'));
  const [all, fit] = [await resultsOf('ticket', 50), (await answer(50)).results];
  expect(fit).toStrictEqual(all.slice(0, fit.length));
  expect(JSON.stringify(fit).length).toBeLessThan(40_000);
});

test('returns kb_query_unavailable if the database cannot respond', async () => {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin; lock table knowledge_words in access exclusive mode');
  const answer = query({ query: 'firearm' });
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const [held] = await vi.waitFor(async () => {
    const rows = await world.rows(waiting);
    expect(rows).toHaveLength(1);
    return rows;
  }, 10_000);
  await world.rows('select pg_cancel_backend($1)', [held?.['pid']]);
  const { status, headers, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 503, body: { error: { code: 'kb_query_unavailable' } } });
  expect(headers.get('retry-after')).toBe('1');
});
