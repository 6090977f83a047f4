import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Job } from 'pg-boss';
import { codeOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { inSpan, type SpanStart } from '../platform/tracing/spans.ts';
import { presenceInterval, workerPresence } from '../resources/knowledge/indexing-presence.ts';
import { removeBatch } from '../resources/knowledge/removals.ts';
import { writeSearchTexts } from '../resources/search/search-texts.ts';
import type { IndexPart } from '../store/indexing-queue.ts';
import { bossOn, type IndexingJob, indexingQueueName } from './boss.ts';
import { putInQueue } from './queue.ts';
import { reconcile } from './reconcile.ts';

export interface WorkersOptions {
  readonly knex: Knex;
  /** How many sources are indexed at once. */
  readonly atOnce: number;
  readonly index: IndexPart;
  readonly log: Log;
  /** Seconds before each attempt after the first. */
  readonly backoff?: readonly number[];
}

export interface Workers {
  /** Stops after the current page of each source; another worker continues from there. */
  stop(): Promise<void>;
}

/** Seconds; about 8 minutes in all. */
const usualBackoff: readonly number[] = [5, 15, 45, 120, 300];

/** Milliseconds of work on a source before the next source has its turn. */
const slice = 10_000;

/** Milliseconds between two checks for sources without jobs, for deleted sources, and for versions without a search text. */
const [reconcileInterval, removalInterval, searchInterval] = [10_000, 1000, 1000];

/** Seconds between two checks for jobs. */
const pollInterval = 1;

/** Works on indexing jobs until it is stopped. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { knex, atOnce, log } = options;
  const presence = workerPresence(knex);
  const stopping = new AbortController();
  const boss = await bossOn(knex, true);
  let lastCode = '';
  const warn = (error: unknown, message = 'cannot check for jobs') => {
    const code = codeOf(error) || String(error);
    // If the database is down, every check fails; one line is enough.
    if (!stopping.signal.aborted && code !== lastCode) log.warn({ code }, message);
    lastCode = code;
  };
  boss.on('error', (error) => warn(error));
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
      lastCode = '';
      return Promise.all(jobs.map((job) => inSpan(spanOf(job), () => workOn(job, options, stopping.signal))));
    },
  );
  const { signal } = stopping;
  await presence.record();
  const present = repeat(
    () => presence.record().catch((error: unknown) => warn(error)),
    presenceInterval * 1000,
    signal,
  );
  const reconciling = repeat(
    () => reconcile(knex).catch((error: unknown) => warn(error)),
    reconcileInterval,
    signal,
  );
  const removing = repeat(
    () => remove(knex, signal).catch((error: unknown) => warn(error, 'cannot remove deleted sources')),
    removalInterval,
    signal,
  );
  const searchable = repeat(
    () =>
      writeTexts(knex, signal).catch((error: unknown) => warn(error, 'cannot write texts for the search')),
    searchInterval,
    signal,
  );
  return {
    async stop() {
      stopping.abort(new Error('the workers stop'));
      await Promise.all([present, reconciling, removing, searchable]);
      await presence
        .end()
        .catch((error: unknown) => log.warn({ code: codeOf(error) }, 'cannot record that the worker stops'));
      await boss.offWork(indexingQueueName, { wait: true });
      await boss.stop({ graceful: false, close: false });
    },
  };
}

function spanOf({ id, data }: Job<IndexingJob>): SpanStart {
  return {
    name: `process ${indexingQueueName}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.destination.name': indexingQueueName,
      'messaging.message.id': id,
      'parley.project_id': data.projectId,
      'parley.source_id': data.sourceId,
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
  const ends = performance.now() + slice;
  const signal = AbortSignal.any([job.signal, stopping]);
  // A job that has lost a worker before is handed on after its next page, so that its retries count from 0 again.
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
    // Another worker has the job now.
    if (job.signal.aborted) return done;
    if (stopping.aborted) {
      await handOn(knex, job, data);
      return done;
    }
    log.error({ err: error, sourceId: data.sourceId }, 'indexing failed');
    throw error;
  }
}

/** Completes a job and queues the next one of its source, in one transaction. */
async function handOn(knex: Knex, job: Job<IndexingJob>, data: IndexingJob, delay?: number): Promise<void> {
  await knex.transaction(async (trx) => {
    const boss = await bossOn(trx);
    const { settled } = (await boss.complete(indexingQueueName, job)) as { settled?: string[] };
    if (settled?.length) await putInQueue(trx, [data], delay);
  });
}

/** Removes the chunks of deleted sources in batches. Restored sources that waited for that are then queued. */
async function remove(knex: Knex, signal: AbortSignal): Promise<void> {
  let batches = 0;
  while (!signal.aborted && (await removeBatch(knex))) batches += 1;
  if (batches > 0) await reconcile(knex);
}

/** Writes the search texts of all versions that were stored without one. */
async function writeTexts(knex: Knex, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await writeSearchTexts(knex)));
}

/** Repeats work until the workers stop; `interval` is in milliseconds. */
async function repeat(work: () => Promise<void>, interval: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
