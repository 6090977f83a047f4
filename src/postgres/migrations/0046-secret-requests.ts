import type { Knex } from 'knex';

/**
 * Secrets that a call waits for: a person enters each on a page. They live for minutes, and an entered value until the
 * call takes it, so archives leave them out.
 */
const table = `
  create table secret_requests (
    project_id text collate "C" not null references projects,
    token_hash bytea not null unique,
    key_id text collate "C" not null,
    name text collate "C" not null,
    sealed_value bytea,
    expires_at timestamptz(3) not null,
    primary key (project_id, token_hash)
  );
  create index secret_requests_expiry on secret_requests (expires_at);
  comment on table secret_requests is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(table);
}
