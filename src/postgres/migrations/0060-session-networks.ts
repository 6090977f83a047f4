import type { Knex } from 'knex';

/** The networks of IPv6 from which an open session comes, which one line or site can fill with addresses. */
const changes = `
  alter table sessions add column address_56 text collate "C";
  alter table sessions add column address_48 text collate "C";
  comment on column sessions.address_56 is 'made anew';
  comment on column sessions.address_48 is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
