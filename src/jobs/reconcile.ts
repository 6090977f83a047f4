import type { Knex } from 'knex';
import { isWhole } from '../store/knowledge-removals.ts';
import { failSource } from '../store/knowledge-runs.ts';
import { indexingQueueName, jobsSchemaName } from './boss.ts';
import { putInQueue } from './queue.ts';

/**
 * Sources in progress that nobody works on and no job waits for: they came with an archive, or were restored before
 * all was removed that their deletion left, or their job is lost.
 * `is_given_up`: their last job lost its worker again and again, and nothing was done since.
 */
const forgotten = `
  select project_id, id,
    exists (
      select from ${jobsSchemaName}.job
      where name = :queue and singleton_key = knowledge_sources.id and state = 'failed' and completed_on >= updated_at
    ) as is_given_up
  from knowledge_sources
  where indexing_status = 'inProgress' and ${isWhole} and not exists (
    select from ${jobsSchemaName}.job where name = :queue and singleton_key = knowledge_sources.id and state < 'completed'
  )
  limit 1000`;

/** Queues what is to be indexed and was forgotten, and ends what lost its worker too often. */
export async function reconcile(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { project_id: string; id: string; is_given_up: boolean }[] }>(
    forgotten,
    { queue: indexingQueueName },
  );
  for (const row of rows.filter(({ is_given_up }) => is_given_up))
    await failSource(
      knex,
      { projectId: row.project_id, sourceId: row.id },
      'The indexing was interrupted again and again.',
    );
  const lost = rows.filter(({ is_given_up }) => !is_given_up);
  const jobs = lost.map((row) => ({ projectId: row.project_id, sourceId: row.id, attempt: 0 }));
  if (jobs.length > 0) await putInQueue(knex, jobs);
}
