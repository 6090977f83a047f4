import type { Knex } from 'knex';

/**
 * Ids sort by creation time under the collation "C", so the primary key is also the order of a list. The key of every
 * table of a project starts with project_id, and every reference includes it: Postgres cannot store a reference across
 * projects.
 */
const tables = `
  create table organizations (
    id text collate "C" primary key,
    name text not null,
    created_at timestamptz(3) not null default now()
  );

  create table projects (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organizations,
    name text not null,
    description text,
    status text not null default 'active' check (status in ('active', 'paused', 'archived')),
    plan text not null default 'free' check (plan in ('free', 'starter', 'growth', 'pro', 'enterprise')),
    type text not null default 'platform' check (type in ('hotline', 'platform')),
    mode text not null default 'advanced' check (mode in ('simple', 'advanced')),
    channels text[] not null default '{phone,website}',
    industry text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  );
  create index projects_organization on projects (organization_id);

  create table api_keys (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    key_type text not null check (key_type in ('publishable', 'secret')),
    scope text not null check (scope in ('service_app', 'service_platform', 'platform')),
    access text[],
    hash bytea not null unique check (length(hash) = 32),
    key_prefix text not null,
    last4 text not null,
    status text not null default 'active' check (status in ('active', 'revoked')),
    last_used_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );

  create table agent_profiles (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    is_default boolean not null default false,
    supported_input_languages text[] not null default '{}',
    reasoning_mode text not null,
    output_voice_id text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );
  create unique index agent_profiles_default on agent_profiles (project_id) where is_default;

  create table flows (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    type text not null check (type in ('simple', 'graph')),
    description text,
    agent_profile_id text collate "C",
    agent_profile_position integer,
    newest_version bigint not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint flows_agent_profile foreign key (project_id, agent_profile_id) references agent_profiles
  );
  create index flows_agent_profile on flows (project_id, agent_profile_id) where agent_profile_id is not null;

  create table flow_versions (
    project_id text collate "C" not null,
    id text collate "C" not null,
    flow_id text collate "C" not null,
    version bigint not null,
    tag text not null,
    flow_schema json not null,
    flow_schema_bytes integer not null,
    is_active boolean not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    unique (project_id, flow_id, version),
    constraint flow_versions_flow foreign key (project_id, flow_id) references flows
  );
  create unique index flow_versions_active on flow_versions (project_id, flow_id) where is_active;
`;

const ledger = `
  create table trash (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    kind text not null,
    resource_id text collate "C" not null,
    name text not null,
    rows json not null,
    deleted_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (project_id, id)
  );
  create index trash_expiry on trash (expires_at);

  create table idempotency_keys (
    project_id text collate "C" not null references projects,
    operation text not null,
    key text not null,
    input_hash text not null,
    answer json,
    created_at timestamptz(3) not null default now(),
    sealed_answer bytea,
    primary key (project_id, operation, key)
  );
  create index idempotency_keys_age on idempotency_keys (created_at);

  create table audit_log (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    key_id text collate "C" not null,
    operation text not null,
    request_id text not null,
    input_hash text not null,
    output_hash text not null,
    created_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );

  create function audit_log_is_append_only() returns trigger language plpgsql as $$
  begin
    raise exception 'audit_log is append only';
  end
  $$;
  create trigger audit_log_is_append_only before update or delete or truncate on audit_log
    for each statement execute function audit_log_is_append_only();
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
  await db.raw(ledger);
}
