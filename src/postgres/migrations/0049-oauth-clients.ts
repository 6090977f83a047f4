import type { Knex } from 'knex';

/**
 * `oauth_client` names the client of a key that was made by a sign-in through OAuth; null for any other key. The list of
 * keys leaves out sign-ins that have ended, so it has an index of its own.
 */
const statements = `
  alter table api_keys add column oauth_client text;
  update api_keys as key set oauth_client = regexp_replace(key.name, '^.* via ', '')
  from oauth_records as granted
  where granted.kind = 'Grant' and granted.project_id = key.project_id and granted.key_id = key.id;
  create index api_keys_listed on api_keys (project_id, id) where oauth_client is null or status = 'active';
  create index api_keys_sign_ins on api_keys (expires_at) where oauth_client is not null and status = 'active';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(statements);
}
