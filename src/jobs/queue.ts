import type { Knex } from 'knex';
import type { IndexingQueue } from '../store/indexing-queue.ts';
import { bossOn, type IndexingJob, indexingQueueName } from './boss.ts';

/** Queues indexing in the caller's transaction, so that a rollback also removes the job. */
export const indexingQueue: IndexingQueue = {
  async add(knex, sources) {
    if (sources.length === 0) return;
    await putInQueue(
      knex,
      sources.map((source) => ({ ...source, attempt: 0 })),
    );
  },

  async cancel(knex, sourceIds) {
    if (sourceIds.length === 0) return;
    const boss = await bossOn(knex);
    for (const key of sourceIds) {
      const jobs = await boss.findJobs(indexingQueueName, { key });
      const open = jobs.filter(({ state }) => state === 'created' || state === 'retry' || state === 'active');
      if (open.length > 0)
        await boss.cancel(
          indexingQueueName,
          open.map(({ id }) => id),
        );
    }
  },
};

/**
 * Queues jobs. If a job of a source waits already, the new one is dropped.
 * @param delay seconds until the jobs may start
 */
export async function putInQueue(knex: Knex, jobs: readonly IndexingJob[], delay = 0): Promise<void> {
  const boss = await bossOn(knex);
  await boss.insert(
    indexingQueueName,
    jobs.map((data) => ({
      data,
      singletonKey: data.sourceId,
      ...(delay > 0 && { startAfter: delay }),
    })),
  );
}
