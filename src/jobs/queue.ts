import type { Knex } from 'knex';
import type { IndexingQueue } from '../store/indexing-queue.ts';
import { bossOn, type IndexingJob, indexingQueueName } from './boss.ts';

/** Queues indexing in the transaction that it is handed: what is rolled back was never queued. */
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

/** Puts jobs in the queue, to be begun in so many seconds; where a source has a job that waits, that one serves. */
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
