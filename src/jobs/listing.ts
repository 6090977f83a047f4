import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';
import { failedQueueName, indexingQueueName, jobsSchemaName } from './boss.ts';

/** An unfinished or failed job. */
export interface ListedJob {
  readonly id: string;
  readonly sourceId: string;
  /** Failed jobs are listed for 30 days. */
  readonly state: 'waiting' | 'active' | 'failed';
  /** How often a worker started the job, and those before it that were put off because a site did not respond. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly since: string;
}

/**
 * The jobs of sources that exist. In the queue of failed jobs, those of a source that was indexed again are left out,
 * because it is no longer idle.
 *
 * pg-boss orders its states: created, retry and active come before completed. It counts the workers that took a job over
 * from the first one as `retry_count`. A job that fails for good is completed, and its copy in the queue of failed jobs
 * keeps its count and output as `source_retry_count` and `source_output`. No worker takes a copy.
 *
 * `data` is an `IndexingJob`. `output` has one of three forms: `{error}` if the worker gave up, `{message}` if it threw, or
 * `{value: {message}}` if it was lost, as pg-boss writes it.
 */
const jobs = `
  jobs as (
    select job.id, source.id as source_id, job.created_on, job.start_after, job.data,
      coalesce(job.source_output, job.output) as output,
      case
        when job.name = :failed then 'failed'
        when job.state = 'active' then 'active'
        else 'waiting'
      end as state,
      case
        when job.name = :failed then coalesce(job.source_retry_count, 0) + 1
        when job.state = 'created' then 0
        else job.retry_count + 1
      end as starts
    from ${jobsSchemaName}.job as job
    join knowledge_sources as source
      on source.project_id = job.data->>'projectId' and source.id = job.data->>'sourceId'
    where (job.name = :queue and job.state < 'completed')
      or (job.name = :failed and source.indexing_status = 'idle')
  )`;

const queues = { queue: indexingQueueName, failed: failedQueueName };

const newestJobs = `
  with ${jobs}
  select id, source_id as "sourceId", state, created_on as since,
    cast(data->>'attempt' as integer) + starts as attempts,
    coalesce(output->>'error', output->>'message', output->'value'->>'message', data->>'error') as error
  from jobs order by created_on desc, id limit :limit`;

/** Lists the waiting, active and failed jobs of all replicas, newest first. */
export async function listJobs(knex: Knex, limit: number): Promise<ListedJob[]> {
  const rows = await runSql<ListedJob & { since: Date }>(knex, newestJobs, { ...queues, limit });
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}

/** How many jobs `listJobs` would list without a limit. */
export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Seconds for which the oldest waiting job could have begun; 0 if none waits. */
  readonly oldestWaiting: number;
}

const jobCounts = `
  with ${jobs}
  select count(*) filter (where state = 'waiting') as waiting,
    count(*) filter (where state = 'active') as active,
    count(*) filter (where state = 'failed') as failed,
    cast(coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
      filter (where state = 'waiting' and start_after <= now())), 0) as float8) as "oldestWaiting"
  from jobs`;

/** Counts the waiting, active and failed jobs of all replicas. */
export async function countJobs(knex: Knex): Promise<JobCounts> {
  const [counts] = await runSql<JobCounts>(knex, jobCounts, queues);
  if (!counts) throw new Error('the count of jobs returned no row');
  return counts;
}
