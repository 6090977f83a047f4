import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import { only } from '../../store/queries.ts';
import { withoutTexts } from '../sessions/record-store.ts';

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

/** Rows of one statement. More than that many at once might not be deleted within a statement's time limit. */
const batchSize = 1_000;

/**
 * Deletes the oldest rows. A batch starts after the last row of the one before. Otherwise each would read past all rows that were
 * deleted before, which made a million of them take 22 s. The condition stands twice, because a row may change while
 * the statement waits for it.
 */
const purgeBatch = (table: string, time: string, limit: string) => `
  with deleted as (
    delete from ${table}
    where ${time} <= ${limit} and ctid = any(array(
      select ctid from ${table} where ${time} between :start and ${limit} order by ${time} limit :batchSize
    ))
    returning ${time} as time
  )
  select count(*) as count, max(time) as last from deleted`;

interface Purged {
  count: number;
  /** When the last of the rows expired. */
  last: Date;
}

/** Each deletes a batch of expired rows. */
const batches = [
  purgeBatch('secret_requests', 'expires_at', 'now()'),
  purgeBatch('tasks', 'expires_at', 'now()'),
  purgeBatch('trash', 'expires_at', 'now()'),
  purgeBatch('idempotency_keys', 'created_at', `now() - interval '24 hours'`),
  purgeBatch('uploads', 'expires_at', 'now()'),
  purgeBatch('oauth_records', 'expires_at', 'now()'),
  purgeBatch('oauth_clients', 'expires_at', 'now()'),
  // No window is longer than a day.
  purgeBatch('rate_limit_windows', 'began_at', `now() - interval '1 day'`),
];

/** Sessions of one statement: each may have a hundred turns. */
const sessionBatchSize = 100;

/**
 * Removes the texts of sessions that ended before their project's retention. A session that another replica removes at this
 * moment is left to it.
 */
const purgeSessions = `
  with expired as (
    select due.project_id, due.id
    from projects cross join lateral (
      select project_id, id from sessions
      where project_id = projects.id and removed_at is null
        and ended_at <= now() - make_interval(days => projects.session_retention_days)
      order by ended_at limit :batchSize for update skip locked
    ) as due
    limit :batchSize
  ), turns as (
    delete from session_turns using expired
    where session_turns.project_id = expired.project_id and session_id = expired.id
  ), removed as (
    update sessions set ${withoutTexts} from expired
    where sessions.project_id = expired.project_id and sessions.id = expired.id
    returning sessions.id
  )
  select count(*) as count from removed`;

/** The list of keys reads past expired sign-ins until they are revoked. */
const revokeExpiredSignIns = `
  with expired as (
    select project_id, id from api_keys
    where oauth_client is not null and status = 'active' and expires_at <= now()
    order by expires_at limit :batchSize for update skip locked
  ), revoked as (
    update api_keys as key set status = 'revoked' from expired
    where key.project_id = expired.project_id and key.id = expired.id
    returning key.id
  )
  select count(*) as count from revoked`;

/** Revokes expired sign-ins through OAuth, and removes expired trash entries, the files of their sources, idempotency keys with their stored responses, uploads, requests for secrets, tasks, what OAuth remembers, windows of rate limits, and the texts of old sessions. */
export async function purgeExpired(knex: Knex): Promise<void> {
  for (const batch of batches) await purgeInBatches(knex, batch);
  await runSql(knex, purgeFiles);
  await inBatches(knex, revokeExpiredSignIns, batchSize);
  await inBatches(knex, purgeSessions, sessionBatchSize);
}

/** Runs a statement, which counts its rows, until a batch is not full. */
async function inBatches(knex: Knex, statement: string, size: number): Promise<void> {
  for (let count = size; count === size; ) {
    const batch = await runSql<Pick<Purged, 'count'>>(knex, statement, { batchSize: size });
    count = only(batch).count;
  }
}

async function purgeInBatches(knex: Knex, batch: string): Promise<void> {
  for (let start: string | Date = '-infinity'; ; ) {
    const { count, last }: Purged = only(await runSql<Purged>(knex, batch, { start, batchSize }));
    if (count < batchSize) return;
    start = last;
  }
}
