import type { Knex } from 'knex';

/**
 * The rows that the active design of each conversation refers to, as foreign keys that prevent their deletion. Other
 * versions prevent nothing. Existing rows have no credentials.
 */
const tables = `
  alter table integrations add column sealed_credentials bytea;

  create table conversation_integrations (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    integration_id text collate "C" not null,
    primary key (project_id, conversation_id, integration_id),
    constraint conversation_integrations_conversation
      foreign key (project_id, conversation_id) references conversations,
    constraint conversation_integrations_integration
      foreign key (project_id, integration_id) references integrations
  );
  create index conversation_integrations_integration
    on conversation_integrations (project_id, integration_id, conversation_id);

  create table conversation_knowledge_bases (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    primary key (project_id, conversation_id, knowledge_base_id),
    constraint conversation_knowledge_bases_conversation
      foreign key (project_id, conversation_id) references conversations,
    constraint conversation_knowledge_bases_knowledge_base
      foreign key (project_id, knowledge_base_id) references knowledge_bases
  );
  create index conversation_knowledge_bases_knowledge_base
    on conversation_knowledge_bases (project_id, knowledge_base_id, conversation_id);
`;

/** Fills the references of existing designs. An imported design may refer to rows that do not exist. */
const fill = (table: string, column: string, list: string, member: string, of: string) => `
  insert into ${table} (project_id, conversation_id, ${column})
  select distinct conversations.project_id, conversations.id, ${of}.id
  from conversations
  join conversation_versions as version on version.project_id = conversations.project_id
    and version.conversation_id = conversations.id and version.n = conversations.active_version
  cross join json_array_elements(
    case when json_typeof(version.design -> '${list}') = 'array' then version.design -> '${list}' else '[]' end
  ) as entry
  join ${of} on ${of}.project_id = conversations.project_id and ${of}.id = entry ->> '${member}'`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
  await db.raw(
    fill('conversation_integrations', 'integration_id', 'integrations', 'integrationId', 'integrations'),
  );
  await db.raw(
    fill(
      'conversation_knowledge_bases',
      'knowledge_base_id',
      'knowledge',
      'knowledgeBaseId',
      'knowledge_bases',
    ),
  );
}
