import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Job } from 'pg-boss';
import { codeOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { IndexPart } from '../store/indexing-queue.ts';
import { removeBatch } from '../store/knowledge-removals.ts';
import { bossOn, type IndexingJob, indexingQueueName } from './boss.ts';
import { putInQueue } from './queue.ts';
import { reconcile } from './reconcile.ts';

export interface WorkersOptions {
  readonly knex: Knex;
  /** How many sources are worked on at once. */
  readonly atOnce: number;
  readonly index: IndexPart;
  readonly log: Log;
  /** Seconds until the next attempt, one for each after the first. */
  readonly backoff?: readonly number[];
}

export interface Workers {
  /** Ends what is under way at its next page, which is begun again by whoever takes the job over. */
  stop(): Promise<void>;
}

/** Seconds: eight minutes and a half in all. */
const usualBackoff: readonly number[] = [5, 15, 45, 120, 300];

/** Milliseconds of a piece of work, after which another source has its turn. */
const piece = 10_000;

/** Milliseconds between two looks for what was forgotten, and for what was deleted. */
const [reconcileInterval, removalInterval] = [10_000, 1000];

/** Seconds between two looks for jobs. */
const pollInterval = 1;

/** Works on jobs until it is stopped. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { knex, atOnce, log } = options;
  const stopping = new AbortController();
  const boss = await bossOn(knex, true);
  let toldOf = '';
  const tell = (error: unknown, message = 'jobs are not looked for') => {
    const code = codeOf(error) || String(error);
    // A database that is down would be told of with every look.
    if (!stopping.signal.aborted && code !== toldOf) log.warn({ code }, message);
    toldOf = code;
  };
  boss.on('error', (error) => tell(error));
  await boss.start();
  await boss.work<IndexingJob>(
    indexingQueueName,
    {
      localConcurrency: atOnce,
      pollingIntervalSeconds: pollInterval,
      heartbeatRefreshSeconds: 3,
      perJobResults: true,
    },
    async (jobs) => {
      toldOf = '';
      return Promise.all(jobs.map((job) => workOn(job, options, stopping.signal)));
    },
  );
  const { signal } = stopping;
  const reconciling = keep(
    () => reconcile(knex).catch((error: unknown) => tell(error)),
    reconcileInterval,
    signal,
  );
  const removing = keep(
    () => remove(knex, signal).catch((error: unknown) => tell(error, 'what was deleted is not removed')),
    removalInterval,
    signal,
  );
  return {
    async stop() {
      stopping.abort(new Error('the workers stop'));
      await Promise.all([reconciling, removing]);
      await boss.offWork(indexingQueueName, { wait: true });
      await boss.stop({ graceful: false, close: false });
    },
  };
}

async function workOn(
  job: Job<IndexingJob>,
  { knex, index, log, backoff = usualBackoff }: WorkersOptions,
  stopping: AbortSignal,
) {
  const { id, data, retryCount } = job;
  const { attempt } = data;
  const ends = performance.now() + piece;
  const signal = AbortSignal.any([job.signal, stopping]);
  // One that has lost its worker before is handed on after its next page, which makes its losses count anew.
  const isOver = () => retryCount > 0 || performance.now() > ends;
  const done = { id, status: 'completed' as const };
  try {
    const outcome = await index(data, { signal, isOver, isLast: attempt >= backoff.length });
    if (outcome.state === 'failed')
      return { id, status: 'deadletter' as const, output: { error: outcome.error } };
    if (outcome.state === 'later') {
      const { error } = outcome;
      await handOn(knex, job, { ...data, attempt: attempt + 1, error }, backoff[attempt]);
    }
    if (outcome.state === 'more') await handOn(knex, job, data);
    return done;
  } catch (error) {
    // Whoever has the job now goes on with it.
    if (job.signal.aborted) return done;
    if (stopping.aborted) {
      await handOn(knex, job, data);
      return done;
    }
    log.error({ err: error, sourceId: data.sourceId }, 'indexing failed');
    throw error;
  }
}

/** Ends a job and queues the one that goes on with it, in one transaction. */
async function handOn(knex: Knex, job: Job<IndexingJob>, data: IndexingJob, delay?: number): Promise<void> {
  await knex.transaction(async (trx) => {
    const boss = await bossOn(trx);
    const { settled } = (await boss.complete(indexingQueueName, job)) as { settled?: string[] };
    if (settled?.length) await putInQueue(trx, [data], delay);
  });
}

/** Removes batch by batch what deletions left, until nothing is left; what was restored meanwhile can be indexed then. */
async function remove(knex: Knex, signal: AbortSignal): Promise<void> {
  let batches = 0;
  while (!signal.aborted && (await removeBatch(knex))) batches += 1;
  if (batches > 0) await reconcile(knex);
}

/** Does something again and again until the workers stop. */
async function keep(work: () => Promise<void>, interval: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
