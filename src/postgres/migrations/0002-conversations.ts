import type { Knex } from 'knex';

/**
 * A design is `json`, not `jsonb`, because it must be returned as it was sent, with the same order of members. The
 * conversation's row names the active version, so there is always exactly one. The tables of knowledge bases and
 * integrations are here because designs refer to their rows.
 */
const tables = `
  create table conversations (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    description text,
    kind text not null check (kind in ('simple', 'advanced')),
    agent_profile_id text collate "C",
    newest_version bigint not null,
    active_version bigint not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint conversations_agent_profile foreign key (project_id, agent_profile_id) references agent_profiles
  );
  create index conversations_agent_profile on conversations (project_id, agent_profile_id)
    where agent_profile_id is not null;

  create table conversation_versions (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    n bigint not null,
    tag text not null,
    design json,
    design_bytes integer not null,
    created_at timestamptz(3) not null default now(),
    primary key (project_id, conversation_id, n),
    constraint conversation_versions_conversation foreign key (project_id, conversation_id) references conversations
  );

  create table knowledge_bases (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );

  create table integrations (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    kind text not null check (kind in ('crm', 'calendar', 'knowledge')),
    provider text not null,
    name text not null,
    status text not null default 'connected' check (status in ('connected', 'disconnected', 'error')),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
