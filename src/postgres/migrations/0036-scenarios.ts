import type { Knex } from 'knex';

/**
 * `content` is `json`, because it is returned as it was sent. A result belongs to one version; those of a scenario that
 * changes are deleted. `touches` names the places that the scenario passed when it was last played.
 */
const tables = `
  alter table conversations add column requires_scenarios boolean not null default false;

  create table scenarios (
    project_id text collate "C" not null,
    id text collate "C" not null,
    conversation_id text collate "C" not null,
    name text collate "C" not null,
    tags text[] not null,
    content json not null,
    touches text[] not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint scenarios_name unique (project_id, conversation_id, name),
    constraint scenarios_conversation foreign key (project_id, conversation_id) references conversations
  );

  create table scenario_results (
    project_id text collate "C" not null,
    scenario_id text collate "C" not null,
    conversation_id text collate "C" not null,
    n bigint not null,
    holds boolean not null,
    failed json not null,
    model text,
    played_at timestamptz(3) not null default now(),
    primary key (project_id, scenario_id, n),
    constraint scenario_results_scenario foreign key (project_id, scenario_id) references scenarios on delete cascade
  );
  create index scenario_results_conversation on scenario_results (project_id, conversation_id);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
