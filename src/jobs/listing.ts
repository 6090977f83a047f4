import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';
import { failedQueueName, indexingQueueName, jobsSchemaName } from './boss.ts';

/** An unfinished or failed job. */
export interface ListedJob {
  readonly id: string;
  readonly sourceId: string;
  /** Failed jobs are listed for 30 days. */
  readonly state: 'waiting' | 'active' | 'failed';
  /** How often the job was started. */
  readonly attempts: number;
  readonly error: string | null;
  readonly since: string;
}

/** If a job lost its worker, pg-boss writes its own message under `value`. */
const unfinished = `
  select id, data->>'sourceId' as "sourceId",
    case when name = :failed then 'failed' when state = 'active' then 'active' else 'waiting' end as state,
    coalesce(cast(data->>'attempt' as integer), 0) + coalesce(source_retry_count, retry_count)
      + case when state = 'created' and name <> :failed then 0 else 1 end as attempts,
    coalesce(source_output->>'error', source_output->'value'->>'message',
      output->'value'->>'message', data->>'error') as error,
    created_on as since
  from ${jobsSchemaName}.job as job
  where ((name = :queue and state < 'completed') or name = :failed)
    and exists (
      select from knowledge_sources as source
      where source.project_id = job.data->>'projectId' and source.id = job.data->>'sourceId'
        and (job.name <> :failed or source.indexing_status = 'idle')
    )
  order by created_on desc, id limit :limit`;

/** The waiting, active and failed jobs of the sources that exist, newest first. A source that was indexed again has not failed. */
export async function listJobs(knex: Knex, limit: number): Promise<ListedJob[]> {
  const rows = await runSql<ListedJob & { since: Date }>(knex, unfinished, {
    queue: indexingQueueName,
    failed: failedQueueName,
    limit,
  });
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}

/** How many jobs of sources there are. */
export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Seconds for which the oldest waiting job could have begun; 0 if none waits. */
  readonly oldestWaiting: number;
}

const jobCounts = `
  select count(*) filter (where name = :queue and state < 'active') as waiting,
    count(*) filter (where name = :queue and state = 'active') as active,
    count(*) filter (where name = :failed) as failed,
    cast(coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
      filter (where name = :queue and state < 'active' and start_after <= now())), 0) as float8) as "oldestWaiting"
  from ${jobsSchemaName}.job as job
  where (name = :queue and state < 'completed') or name = :failed`;

/** Counts the waiting, active and failed jobs of all replicas. */
export async function countJobs(knex: Knex): Promise<JobCounts> {
  const [counts] = await runSql<JobCounts>(knex, jobCounts, {
    queue: indexingQueueName,
    failed: failedQueueName,
  });
  if (!counts) throw new Error('the count of jobs returned no row');
  return counts;
}
