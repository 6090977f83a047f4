import type { Knex } from 'knex';

const tables = `
  create table web_agents (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    channel text not null check (channel in ('widget', 'api')),
    scopes text[] not null,
    allowed_origins text[] not null,
    conversation_id text collate "C" not null,
    status text not null default 'active' check (status in ('active', 'disabled')),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint web_agents_conversation foreign key (project_id, conversation_id) references conversations
  );
  create index web_agents_conversation on web_agents (project_id, conversation_id);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
