import type { Knex } from 'knex';

/** Where an open session comes from, and when a window of a rate limit is out of use. */
const changes = `
  alter table sessions add column address text collate "C";
  comment on column sessions.address is 'made anew';
  create index rate_limit_windows_began on rate_limit_windows (began_at);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
