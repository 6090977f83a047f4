import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bossOn, indexingQueueName } from '../../src/jobs/boss.ts';
import { startWorkers } from '../../src/jobs/indexing-workers.ts';
import { countJobs, listJobs } from '../../src/jobs/listing.ts';
import { failSource } from '../../src/resources/knowledge/runs.ts';
import type { IndexPart } from '../../src/store/indexing-queue.ts';
import { type KnowledgeProject, openKnowledgeProject } from '../helpers/knowledge-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: KnowledgeProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.rows('delete from pgboss.job');
  // A worker queues a source in progress that has no job.
  await world.rows(`update knowledge_sources set indexing_status = 'idle'`);
  project = await openKnowledgeProject(world);
});
afterAll(() => world.close());

const since = expect.stringMatching(/^\d{4}-.*Z$/);
const patience = { timeout: 20_000 };

/** Starts a worker that indexes with `index`. It stops at the end of the test. */
async function work(index: IndexPart, backoff: readonly number[] = []): Promise<void> {
  const { knex } = world.core;
  const log = pino({ level: 'silent' });
  const workers = await startWorkers({ knex, atOnce: 1, index, log, backoff });
  onTestFinished(() => workers.stop());
}

const hang: IndexPart = (_source, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** Indexes once with `index`. After that, it works until the test ends. */
function onceThenHang(index: IndexPart): IndexPart {
  let isFirst = true;
  return (...terms) => {
    if (!isFirst) return hang(...terms);
    isFirst = false;
    return index(...terms);
  };
}

/** Fails like the indexing of a source in which nothing can be read. */
const giveUp: IndexPart = async (source) => {
  await failSource(world.core.knex, source, 'Nothing to read.');
  return { state: 'failed', error: 'Nothing to read.' };
};

const listed = async () => (await listJobs(world.core.knex, 10)).map(({ id: _, ...job }) => job);
const counted = async () => {
  const { oldestWaiting: _, ...counts } = await countJobs(world.core.knex);
  return counts;
};

describe('the list and the counts of jobs', () => {
  it('show a job that no worker has started', async () => {
    const sourceId = await project.newSource();
    expect(await listed()).toStrictEqual([{ sourceId, state: 'waiting', attempts: 0, error: null, since }]);
    expect(await counted()).toStrictEqual({ waiting: 1, active: 0, failed: 0 });
  });

  it('show why a job was put off', async () => {
    const sourceId = await project.newSource();
    await work(async () => ({ state: 'later', error: 'The site did not respond.' }), [300]);
    const putOff = { sourceId, state: 'waiting', attempts: 1, error: 'The site did not respond.', since };
    await expect.poll(listed, patience).toStrictEqual([putOff]);
    expect(await counted()).toStrictEqual({ waiting: 1, active: 0, failed: 0 });
  });

  it('show a second attempt, and what the first one threw', async () => {
    const sourceId = await project.newSource();
    await work(onceThenHang(() => Promise.reject(new Error('The disk is full.'))));
    const active = { sourceId, state: 'active', attempts: 2, error: 'The disk is full.', since };
    await expect.poll(listed, patience).toStrictEqual([active]);
    expect(await counted()).toStrictEqual({ waiting: 0, active: 1, failed: 0 });
  });

  it('show a job that lost its worker', async () => {
    const sourceId = await project.newSource();
    const boss = await bossOn(world.core.knex);
    await boss.fetch(indexingQueueName);
    expect(await counted()).toStrictEqual({ waiting: 0, active: 1, failed: 0 });
    await world.rows(`update pgboss.job set heartbeat_on = now() - interval '1 minute'`);
    await boss.supervise(indexingQueueName);
    const lost = { sourceId, state: 'waiting', attempts: 1, error: 'job heartbeat timeout', since };
    expect(await listed()).toStrictEqual([lost]);
  });

  it.each([
    ['indexed again', (sourceId: string) => project.reindex(sourceId)],
    ['deleted', (sourceId: string) => project.remove(sourceId)],
  ])('show a failed job until its source is %s', async (_, change) => {
    const sourceId = await project.newSource();
    await work(onceThenHang(giveUp));
    const failed = { sourceId, state: 'failed', attempts: 1, error: 'Nothing to read.', since };
    await expect.poll(listed, patience).toStrictEqual([failed]);
    expect(await counted()).toStrictEqual({ waiting: 0, active: 0, failed: 1 });
    expect((await change(sourceId)).status).toBeLessThan(300);
    expect((await listed()).map(({ state }) => state)).not.toContain('failed');
    expect(await counted()).toMatchObject({ failed: 0 });
  });
});
