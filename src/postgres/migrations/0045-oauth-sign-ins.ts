import type { Knex } from 'knex';

/** Anyone can begin a sign-in, so those in progress are counted and bounded. */
const index = `
  create index oauth_records_sign_ins on oauth_records (expires_at) where kind = 'Interaction'`;

export async function up(db: Knex): Promise<void> {
  await db.raw(index);
}
