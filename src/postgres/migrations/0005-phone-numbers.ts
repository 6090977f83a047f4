import type { Knex } from 'knex';

/**
 * The handler is two columns that exclude each other, so that Postgres can enforce both references. The password is not
 * among the other fields, because those are returned unchanged. A native number belongs to the platform, and only one
 * project has it.
 */
const tables = `
  create table phone_numbers (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    type text not null check (type in ('native', 'partner', 'external')),
    name text not null,
    number text collate "C" not null,
    status text not null default 'enabled' check (status in ('enabled', 'disabled')),
    flow_id text collate "C",
    conversation_id text collate "C",
    external_phone_fields json,
    sealed_auth_password bytea,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint phone_numbers_number unique (project_id, number),
    constraint phone_numbers_one_handler check (flow_id is null or conversation_id is null),
    constraint phone_numbers_flow foreign key (project_id, flow_id) references flows,
    constraint phone_numbers_conversation foreign key (project_id, conversation_id) references conversations
  );
  create unique index phone_numbers_native on phone_numbers (number) where type = 'native';
  create index phone_numbers_flow on phone_numbers (project_id, flow_id) where flow_id is not null;
  create index phone_numbers_conversation on phone_numbers (project_id, conversation_id)
    where conversation_id is not null;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
