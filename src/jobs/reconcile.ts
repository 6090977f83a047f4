import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';
import { hasNoRemoval } from '../resources/knowledge/removals.ts';
import { failSource } from '../resources/knowledge/runs.ts';
import { indexingQueueName, jobsSchemaName } from './boss.ts';
import { putInQueue } from './queue.ts';

/**
 * Sources in progress without a job: they came with an archive, were restored before their old chunks were removed, or
 * lost their job. `is_given_up` is true if the last job lost its worker too often.
 */
const sourcesWithoutJob = `
  select project_id, id,
    exists (
      select from ${jobsSchemaName}.job
      where name = :queue and singleton_key = knowledge_sources.id and state = 'failed' and completed_on >= updated_at
    ) as is_given_up
  from knowledge_sources
  where indexing_status = 'inProgress' and ${hasNoRemoval} and not exists (
    select from ${jobsSchemaName}.job where name = :queue and singleton_key = knowledge_sources.id and state < 'completed'
  )
  limit 1000`;

/** Queues sources in progress that have no job, and fails those whose jobs lost their workers too often. */
export async function reconcile(knex: Knex): Promise<void> {
  const rows = await runSql<{ project_id: string; id: string; is_given_up: boolean }>(
    knex,
    sourcesWithoutJob,
    { queue: indexingQueueName },
  );
  for (const row of rows.filter(({ is_given_up }) => is_given_up))
    await failSource(
      knex,
      { projectId: row.project_id, sourceId: row.id },
      'The indexing was interrupted too often. Reindex the source.',
    );
  const lost = rows.filter(({ is_given_up }) => !is_given_up);
  const jobs = lost.map((row) => ({ projectId: row.project_id, sourceId: row.id, attempt: 0 }));
  if (jobs.length > 0) await putInQueue(knex, jobs);
}
