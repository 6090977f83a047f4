import type { Knex } from 'knex';

/**
 * `author` is the key that made a version; null on the command line. `live_at` is when a version last became the active
 * one. Both are null in rows of earlier releases, so that no row is rewritten.
 */
const columns = `
  alter table flow_versions add column author text collate "C", add column live_at timestamptz(3);
  alter table conversation_versions add column author text collate "C", add column live_at timestamptz(3);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
