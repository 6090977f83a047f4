import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startIndexing } from '../../../src/command-line/start-indexing.ts';
import type { Workers } from '../../../src/jobs/indexing-workers.ts';
import { file, type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { newHome, start } from '../../helpers/parley.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { type LocalSite, openSite, page } from './local-site.ts';

let world: World;
let site: LocalSite;
let project: KnowledgeProject;
beforeAll(async () => {
  [world, site] = await Promise.all([openWorld(), openSite()]);
});
beforeEach(async () => {
  await world.rows('delete from knowledge_removals');
  site.pages.clear();
  project = await openKnowledgeProject(world);
});
afterAll(async () => {
  site.close();
  await world.close();
});

/** Starts workers, which stop at the end of the test. */
async function work(): Promise<Workers> {
  const log = pino({ level: 'silent' });
  const workers = await startIndexing(world.core, { atOnce: 2, fetchAllow: [site.place] }, log);
  onTestFinished(() => workers.stop());
  return workers;
}

const patience = { timeout: 30_000, interval: 50 };
const completed = { indexingStatus: 'completed', progress: 100 };
const many = 250;
const urlOf = (number: number) => `${site.base}/old-${String(number).padStart(3, '0')}`;

/** A source of the site with the chunks of many pages from an earlier run. */
async function largeSource(): Promise<string> {
  site.pages.set('/', page('Ferries', 'The ferry leaves the harbour at nine every morning.', ['/a']));
  site.pages.set('/a', page('Dogs', 'Dogs travel free of charge on every ferry.'));
  const id = await project.newSource({ type: 'website', name: 'Site', url: `${site.base}/` });
  const urls = Array.from({ length: many }, (_, number) => urlOf(number));
  await world.rows(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status)
     select $1, $2, unnest($3::text[]), 0, 1, 'done'`,
    [project.projectId, id, urls],
  );
  await world.rows(
    `insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
     select $1, $2, $3, unnest($4::text[]), 0, 'Dogs', 'dog dog dog', 'english'`,
    [project.projectId, project.knowledgeBaseId, id, urls],
  );
  return id;
}

const pagesOf = async (sourceId: string) =>
  (await world.rows('select url from knowledge_pages where source_id = $1', [sourceId])).length;
const removals = async () =>
  (await world.rows('select source_id from knowledge_removals order by 1')).map((row) => row['source_id']);

/** Expects that the word counts of the base match its chunks. */
async function expectRightWords(): Promise<void> {
  const counted = `select language, word, chunks from knowledge_words where knowledge_base_id = $1 order by 1, 2`;
  const expected = `
    select language, word collate "C" as word, count(*)::int as chunks from knowledge_chunks
      cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)
    where knowledge_base_id = $1 group by 1, 2 order by 1, 2`;
  expect(await world.rows(counted, [project.knowledgeBaseId])).toStrictEqual(
    await world.rows(expected, [project.knowledgeBaseId]),
  );
}

/** Locks rows until the returned function is called. */
async function hold(rows: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(`${rows} for update`, values);
  return async () => void (await client.query('rollback'));
}

/** Stops workers in the second batch of a source's pages until the returned function is called. */
const holdPage = (sourceId: string) =>
  hold('select from knowledge_pages where source_id = $1 and url = $2', [sourceId, urlOf(150)]);

const removeBase = async () =>
  expect((await project.call('DELETE', `/v1/knowledge/${project.knowledgeBaseId}`)).status).toBe(200);
const ask = async (query: string) =>
  (await project.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, { query })).body.results;
const allIsGone = () => expect.poll(removals, patience).toStrictEqual([]);

/** Waits until the first batch is removed and a worker waits for the lock in the second. */
async function secondIsHeld(sourceId: string): Promise<void> {
  await expect.poll(() => pagesOf(sourceId), patience).toBe(many - 100);
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => world.rows(waiting), patience).toHaveLength(1);
}

/** Restores the last deleted record. */
async function restore(): Promise<void> {
  const [entry] = await project.trash();
  expect((await project.restore(entry?.id)).status).toBe(200);
}

/** Expects that the source has the chunks of the site's current pages, and no others. */
async function expectFoundAnew(sourceId: string): Promise<void> {
  expect(await project.settled(sourceId)).toMatchObject(completed);
  const found = await project.found(sourceId);
  expect(found.map(({ url }) => url.replace(site.base, ''))).toStrictEqual(['/', '/a']);
  await expectRightWords();
}

test('a deleted source is no longer found, does not hide other sources, and is removed in the background', async () => {
  const [gone, stays] = [await largeSource(), await project.newSource({ ...file, indexing: 'deferred' })];
  await world.rows(
    `with page as (
       insert into knowledge_pages (project_id, source_id, url, run, depth, status) values ($1, $2, '', 1, 0, 'done'))
     insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
     values ($1, $3, $2, '', 0, '', 'A dog is not allowed on deck.', 'english')`,
    [project.projectId, stays, project.knowledgeBaseId],
  );
  expect((await ask('dogs')).map(({ sourceId }: { sourceId: string }) => sourceId)).toContain(gone);
  await project.remove(gone);
  expect(await pagesOf(gone)).toBe(many);
  expect(await ask('dogs')).toMatchObject([{ sourceId: stays }]);
  await work();
  await allIsGone();
  expect(await pagesOf(gone)).toBe(0);
  expect(await project.found(gone)).toStrictEqual([]);
  await expectRightWords();
  expect(await ask('dogs')).toMatchObject([{ sourceId: stays }]);
});

test('a deleted base returns 404, and its pages, chunks and words are removed in the background', async () => {
  const [first, second] = [await largeSource(), await project.newSource()];
  await project.remove(second);
  await removeBase();
  const { status } = await project.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, {
    query: 'dogs',
  });
  expect(status).toBe(404);
  expect(await removals()).toStrictEqual(['', first, second].toSorted());
  await work();
  await allIsGone();
  expect(await pagesOf(first)).toBe(0);
  for (const table of ['knowledge_chunks', 'knowledge_words'])
    expect(
      await world.rows(`select from ${table} where knowledge_base_id = $1`, [project.knowledgeBaseId]),
    ).toStrictEqual([]);
});

test('a source that is restored during its removal is indexed after the removal', async () => {
  const id = await largeSource();
  const release = await holdPage(id);
  await project.remove(id);
  await work();
  await secondIsHeld(id);
  await restore();
  site.asked.length = 0;
  const jobs = `select state from pgboss.job where singleton_key = $1 and state = 'completed'`;
  await expect.poll(() => world.rows(jobs, [id]), patience).toHaveLength(1);
  expect(site.asked).toStrictEqual([]);
  expect(await project.read(id)).toMatchObject({ indexingStatus: 'inProgress', progress: 0 });
  expect(await ask('dogs')).toStrictEqual([]);
  await release();
  await expectFoundAnew(id);
});

test('a base that is restored during its removal is indexed after its words are removed', async () => {
  const [id, deletedBefore] = [await largeSource(), await project.newSource()];
  await project.remove(deletedBefore);
  const release = await hold('select from knowledge_words where knowledge_base_id = $1', [
    project.knowledgeBaseId,
  ]);
  await removeBase();
  await work();
  await expect.poll(removals, patience).toStrictEqual(['']);
  await restore();
  const added = await project.newSource();
  const jobs = `select state from pgboss.job where singleton_key = any ($1) and state = 'completed'`;
  await expect.poll(() => world.rows(jobs, [[id, added]]), patience).toHaveLength(2);
  expect(await project.found(id)).toStrictEqual([]);
  expect(await project.found(added)).toStrictEqual([]);
  await release();
  await expectFoundAnew(id);
  expect(await project.settled(added)).toMatchObject(completed);
  expect(await project.trash()).toMatchObject([{ resourceId: deletedBefore }]);
  await expectRightWords();
});

test('a base that is deleted, restored and deleted during its removal is removed, and can be restored', async () => {
  const id = await largeSource();
  const release = await holdPage(id);
  await removeBase();
  await work();
  await secondIsHeld(id);
  // The words are removed last: until then nobody counts them.
  expect(await removals()).toStrictEqual(['', id]);
  await restore();
  await project.remove(id);
  await restore();
  await removeBase();
  await release();
  await allIsGone();
  expect(await pagesOf(id)).toBe(0);
  await restore();
  await expectFoundAnew(id);
});

test('another worker finishes the removal of a killed one', async () => {
  const id = await largeSource();
  const release = await holdPage(id);
  await project.remove(id);
  const environment = { DATABASE_URL: world.databaseUrl, PARLEY_HOME: newHome() };
  const killed = start(['worker'], environment);
  await secondIsHeld(id);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await release();
  expect(await pagesOf(id)).toBe(many - 100);
  await expectRightWords();
  start(['worker'], environment);
  await allIsGone();
  expect(await pagesOf(id)).toBe(0);
  await expectRightWords();
});

test('workers stop after the current batch', async () => {
  const id = await largeSource();
  const release = await holdPage(id);
  await project.remove(id);
  const workers = await work();
  await secondIsHeld(id);
  const stopped = workers.stop();
  await release();
  await stopped;
  expect(await pagesOf(id)).toBe(many - 200);
  await expectRightWords();
});

test('two workers remove different sources at the same time', async () => {
  const [id, other] = [await largeSource(), await largeSource()];
  await project.remove(id);
  const release = await hold('select from knowledge_removals where source_id = $1', [id]);
  await project.remove(other);
  await work();
  await expect.poll(removals, patience).toStrictEqual([id]);
  expect(await pagesOf(other)).toBe(0);
  expect(await pagesOf(id)).toBe(many);
  await release();
  await allIsGone();
  expect(await pagesOf(id)).toBe(0);
  await expectRightWords();
});
