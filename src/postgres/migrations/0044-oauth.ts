import type { Knex } from 'knex';

/**
 * What the authorization server remembers. Codes and tokens are stored as SHA-256 only. Archives leave all of it out: after
 * a restore, clients sign in again.
 */
const tables = `
  create table oauth_clients (
    id text collate "C" primary key,
    metadata json not null,
    created_at timestamptz(3) not null default now(),
    used_at timestamptz(3),
    expires_at timestamptz(3) not null
  );
  create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;
  create index oauth_clients_expiry on oauth_clients (expires_at);
  comment on table oauth_clients is 'made anew';

  create table oauth_records (
    kind text collate "C" not null,
    id_hash bytea not null,
    grant_id text collate "C",
    project_id text collate "C",
    key_id text collate "C",
    payload json not null,
    expires_at timestamptz(3) not null,
    consumed_at timestamptz(3),
    primary key (kind, id_hash),
    foreign key (project_id, key_id) references api_keys on delete cascade
  );
  create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
  create index oauth_records_key on oauth_records (project_id, key_id) where key_id is not null;
  create index oauth_records_expiry on oauth_records (expires_at);
  comment on table oauth_records is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
