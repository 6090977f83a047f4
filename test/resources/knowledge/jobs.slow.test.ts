import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startIndexing } from '../../../src/command-line/start-indexing.ts';
import { indexingQueue, putInQueue } from '../../../src/jobs/queue.ts';
import { file, type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { holdPage } from './held-page.ts';
import { type LocalSite, openSite, page } from './local-site.ts';

let world: World;
let site: LocalSite;
let project: KnowledgeProject;
beforeAll(async () => {
  [world, site] = await Promise.all([openWorld(), openSite()]);
});
beforeEach(async () => {
  site.pages.clear();
  site.asked.length = 0;
  project = await openKnowledgeProject(world);
});
afterAll(async () => {
  site.close();
  await world.close();
});

/** Starts workers, which stop at the end of the test. */
async function work(): Promise<void> {
  const log = pino({ level: 'silent' });
  const workers = await startIndexing(world.core, { atOnce: 2, fetchAllow: [site.place], backoff: [] }, log);
  onTestFinished(() => workers.stop());
}

const website = (more: Record<string, unknown> = {}) => ({
  type: 'website',
  name: 'Site',
  url: `${site.base}/`,
  ...more,
});
/** For a busy machine. */
const patience = { timeout: 30_000 };
const completed = { indexingStatus: 'completed', progress: 100 };
const ferry = (about: string, links: readonly string[] = []) =>
  page(about, `The ferry to ${about} leaves the harbour at nine every morning.`, links);

const jobsOf = (sourceId: string) =>
  world.rows(`select state, name from pgboss.job where data->>'sourceId' = $1 order by created_on`, [
    sourceId,
  ]);
const left = async (sourceId: string) => {
  const counts = ['knowledge_pages', 'knowledge_chunks', 'knowledge_files'].map(async (table) => {
    const [row] = await world.rows(`select count(*)::int as count from ${table} where source_id = $1`, [
      sourceId,
    ]);
    return row?.['count'];
  });
  const [pages, chunks, files] = await Promise.all(counts);
  return { pages, chunks, files };
};
const texts = async (sourceId: string) => (await project.found(sourceId)).map(({ text }) => text).join('\n');

test('a job is queued if and only if its change is committed', async () => {
  const id = await project.newSource(website());
  expect(await jobsOf(id)).toStrictEqual([{ state: 'created', name: 'knowledge-indexing' }]);
  // A waiting job is enough.
  await project.reindex(id);
  expect(await jobsOf(id)).toHaveLength(1);
  const { projectId } = project;
  const undone = world.core.knex.transaction(async (trx) => {
    await indexingQueue.add(trx, [{ projectId, sourceId: 'undone' }]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await jobsOf('undone')).toStrictEqual([]);
  await project.remove(id);
  expect((await jobsOf(id)).map(({ state }) => state)).toStrictEqual(['cancelled']);
});

test('a deferred source is indexed on reindex', async () => {
  const id = await project.newSource({ ...file, indexing: 'deferred' });
  expect(await project.read(id)).toMatchObject({ indexingStatus: 'idle', indexing: 'deferred', progress: 0 });
  expect(await jobsOf(id)).toStrictEqual([]);
  const begun = { id, indexingStatus: 'inProgress', indexing: 'triggered', progress: 0 };
  expect((await project.reindex(id)).body).toMatchObject(begun);
  await work();
  expect(await project.settled(id)).toMatchObject({ ...completed, indexing: 'triggered' });
});

test('a source that is deleted during its indexing loses its chunks, and is indexed again when it is restored', async () => {
  site.pages.set('/', ferry('Ferries', ['/a']));
  const held = holdPage(site, '/a');
  await work();
  const id = await project.newSource(website());
  await held.requested;
  expect((await project.remove(id)).body).toStrictEqual({ id, deleted: true, trashId: expect.any(String) });
  expect((await jobsOf(id)).map(({ state }) => state)).toStrictEqual(['cancelled']);
  held.release(ferry('Alder'));
  await expect.poll(() => left(id), patience).toStrictEqual({ pages: 0, chunks: 0, files: 0 });
  const [entry] = await project.trash();
  expect(entry).toMatchObject({ kind: 'knowledgeSource', resourceId: id, name: 'Site' });
  const restored = { id, kind: 'knowledgeSource', restored: true };
  expect((await project.restore(entry?.id)).body).toStrictEqual(restored);
  expect(await project.settled(id)).toMatchObject(completed);
  expect(await texts(id)).toContain('Alder');
});

test('a deleted file keeps its bytes until it is purged, and is indexed again when it is restored', async () => {
  await work();
  const id = await project.newSource();
  await project.settled(id);
  await project.remove(id);
  await expect.poll(() => left(id), patience).toStrictEqual({ pages: 0, chunks: 0, files: 1 });
  const [entry] = await project.trash();
  await project.restore(entry?.id);
  expect(await project.settled(id)).toMatchObject(completed);
  expect(await texts(id)).toContain('Children under six');
});

test('a restored base has its sources, and those that are not deferred are indexed', async () => {
  const [first, second] = [
    await project.newSource(),
    await project.newSource({ ...file, indexing: 'deferred' }),
  ];
  const { knowledgeBaseId } = project;
  await work();
  await project.settled(first);
  const gone = await project.call('DELETE', `/v1/knowledge/${knowledgeBaseId}`);
  expect(gone.body).toStrictEqual({ id: knowledgeBaseId, deleted: true, trashId: expect.any(String) });
  const [entry] = await project.trash();
  expect(entry).toMatchObject({ kind: 'knowledgeBase', resourceId: knowledgeBaseId, name: 'Ferries' });
  await project.restore(entry?.id);
  expect(await project.settled(first)).toMatchObject(completed);
  expect(await texts(first)).toContain('Children under six');
  expect(await project.read(second)).toMatchObject({ indexingStatus: 'idle', indexing: 'deferred' });
});

test('a new run replaces the current one, which can no longer write', async () => {
  site.pages.set('/', ferry('Ferries', ['/a']));
  const held = holdPage(site, '/a');
  await work();
  const id = await project.newSource(website());
  await held.requested;
  site.pages.set('/a', ferry('Aspen'));
  await project.reindex(id);
  expect(await project.settled(id)).toMatchObject(completed);
  held.release(ferry('Alder'));
  expect(await texts(id)).toContain('Aspen');
  expect(site.asked.filter((path) => path === '/')).toHaveLength(2);
  await expect
    .poll(async () => (await jobsOf(id)).map(({ state }) => state), patience)
    .not.toContain('active');
  expect(await texts(id)).toContain('Aspen');
  expect(await project.read(id)).toMatchObject(completed);
});

test('a job that is delivered twice has one effect, because the first worker can no longer write', async () => {
  site.pages.set('/', ferry('Ferries', ['/a', '/b']));
  site.pages.set('/b', ferry('Birch'));
  const held = holdPage(site, '/a');
  await work();
  const id = await project.newSource(website());
  await held.requested;
  const { projectId } = project;
  site.pages.set('/a', ferry('Aspen'));
  await putInQueue(world.core.knex, [{ projectId, sourceId: id, attempt: 0 }]);
  expect(await project.settled(id)).toMatchObject(completed);
  held.release(ferry('Alder'));
  await expect
    .poll(async () => (await jobsOf(id)).map(({ state }) => state), patience)
    .toStrictEqual(['completed', 'completed']);
  const found = await project.found(id);
  expect(found.map(({ url }) => url.replace(site.base, ''))).toStrictEqual(['/', '/a', '/b']);
  expect(found[1]?.text).toContain('Aspen');
  expect(site.asked.toSorted()).toStrictEqual(['/', '/a', '/a', '/b', '/robots.txt', '/robots.txt']);
});

test('a source in progress without a job, as after an import, is indexed', async () => {
  const id = await project.newSource();
  await world.rows(`delete from pgboss.job where data->>'sourceId' = $1`, [id]);
  await work();
  expect(await project.settled(id)).toMatchObject(completed);
});

test('a source whose job lost its worker too often is idle with an error', async () => {
  const id = await project.newSource();
  await world.rows(
    `update pgboss.job set state = 'failed', completed_on = now() where data->>'sourceId' = $1`,
    [id],
  );
  await work();
  expect(await project.settled(id)).toMatchObject({
    indexingStatus: 'idle',
    error: 'The indexing was interrupted too often. Reindex the source.',
  });
  await project.reindex(id);
  expect(await project.settled(id)).toMatchObject(completed);
});
