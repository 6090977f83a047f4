import type { Knex } from 'knex';

/** `minted_by` is the key that made a key, which is revoked with it. */
const columns = `
  alter table api_keys add column expires_at timestamptz(3), add column minted_by text collate "C";
  create index api_keys_minted_by on api_keys (project_id, minted_by) where minted_by is not null;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
