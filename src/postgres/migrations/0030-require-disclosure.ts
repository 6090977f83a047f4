import type { Knex } from 'knex';

/** True if no version of a flow may go live unless its greeting discloses the AI. */
const column = 'alter table projects add column require_disclosure boolean not null default false';

export async function up(db: Knex): Promise<void> {
  await db.raw(column);
}
