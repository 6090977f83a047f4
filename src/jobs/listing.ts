import type { Knex } from 'knex';
import { runSql } from '../db/sql.ts';
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
  from ${jobsSchemaName}.job
  where (name = :queue and state < 'completed') or name = :failed
  order by created_on desc, id limit :limit`;

/** The waiting, active and failed jobs, newest first. */
export async function listJobs(knex: Knex, limit: number): Promise<ListedJob[]> {
  const rows = await runSql<ListedJob & { since: Date }>(knex, unfinished, {
    queue: indexingQueueName,
    failed: failedQueueName,
    limit,
  });
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}
