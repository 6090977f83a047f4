import type { Knex } from 'knex';

/**
 * Calls of MCP that go on after their response. They live for a day, so archives leave them out. A call that a process runs
 * has a lease, which the process renews; work that goes on by itself, such as a crawl, has none.
 */
const table = `
  create table tasks (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    key_id text collate "C" not null,
    tool text not null,
    status text not null default 'working' check (status in ('working', 'completed', 'failed', 'cancelled')),
    sealed_content bytea check (octet_length(sealed_content) <= 1048576),
    lease_until timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (project_id, id)
  );
  create index tasks_expiry on tasks (expires_at);
  comment on table tasks is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(table);
}
