import type { Knex } from 'knex';

/**
 * When a project is open, and in which time zone. `opening_hours` has a list of `{from, to}` for each day of the week; null if
 * nobody has said when the project is open. `closed_on` has dates, of one year or of each year.
 */
const columns = `
  alter table projects
    add column time_zone text not null default 'UTC',
    add column opening_hours json,
    add column closed_on text[] not null default '{}';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
