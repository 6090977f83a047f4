import type { Knex } from 'knex';

const tables = `
  create table secrets (
    project_id text collate "C" not null references projects,
    name text collate "C" not null,
    sealed_value bytea not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, name)
  );
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
