import type { Knex } from 'knex';

/**
 * What a session has spent on speech, in seconds, and the last limit that it has reached: its scope and what is limited. The
 * index finds the sessions at a limit for the overview.
 */
const sessions = `
  alter table sessions
    add column speech_seconds real not null default 0,
    add column reached_limit text collate "C";
  create index sessions_at_limit on sessions (project_id, active_at) where reached_limit is not null`;

/** The cost of what was used, in millionths of a millionth of the currency; null if the model has no price. */
const usage = `
  alter table usage_events add column cost numeric;
  alter table usage_sums add column cost numeric`;

export async function up(db: Knex): Promise<void> {
  await db.raw(sessions);
  await db.raw(usage);
}
