import type { Knex } from 'knex';

/**
 * `network` says where an anonymous registration or sign-in comes from: the IPv4 address, or the first 64 bits of the IPv6
 * address. `client_id` names the client of a sign-in in progress. Surplus rows of a flood are found by both.
 */
const statements = `
  alter table oauth_clients add column network inet;
  alter table oauth_records add column network inet, add column client_id text collate "C";
  create index oauth_records_signing_in on oauth_records (client_id) where kind = 'Interaction';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(statements);
}
