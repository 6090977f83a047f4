import type { Knex } from 'knex';

/**
 * `live_periods` holds the newest periods in which a version was the active one, and `live_count` how many there were. Both
 * are null in rows of earlier releases, so that no row is rewritten.
 */
const livePeriods = `
  alter table flow_versions add column live_periods tstzmultirange, add column live_count integer;
  alter table conversation_versions add column live_periods tstzmultirange, add column live_count integer;
  create index flow_versions_lived on flow_versions (project_id, flow_id) where live_periods is not null;
  create index conversation_versions_lived on conversation_versions (project_id, conversation_id)
    where live_periods is not null;
`;

/** The processes that index sources, of all projects; each says every few seconds that it runs. */
const workers = `
  create table indexing_workers (
    id text collate "C" primary key,
    seen_at timestamptz(3) not null
  );
  comment on table indexing_workers is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(livePeriods);
  await db.raw(workers);
}
