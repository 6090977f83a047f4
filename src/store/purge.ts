import type { Knex } from 'knex';
import { runSql } from '../db/sql.ts';
import { now } from './queries.ts';

/** Removes the files of sources that no longer exist, not even in the trash. */
const purgeFiles = `
  with deleted as (
    select trash.project_id, source->>'id' as source_id
    from trash, json_array_elements(rows->'knowledge_sources') as source
    where kind in ('knowledgeBase', 'knowledgeSource')
  )
  delete from knowledge_files as file
  where not exists (
    select from knowledge_sources where project_id = file.project_id and id = file.source_id
  ) and not exists (
    select from deleted where project_id = file.project_id and source_id = file.source_id
  )`;

const purgeIdempotencyKeys = `delete from idempotency_keys where created_at < now() - interval '24 hours'`;

/** Removes expired trash entries, the files of their sources, and idempotency keys with their stored responses. */
export async function purgeExpired(knex: Knex): Promise<void> {
  await knex('trash').where('expires_at', '<=', now(knex)).delete();
  await runSql(knex, purgeFiles);
  await runSql(knex, purgeIdempotencyKeys);
}
