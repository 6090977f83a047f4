import { only } from './queries.ts';
import { TenantStore } from './tenant-store.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a project has, and what of it is live. Lists hold the first few. */
export interface Overview {
  readonly requireDisclosure: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly numbers: readonly (Named & {
    readonly number: string;
    readonly isEnabled: boolean;
    readonly handler: (Named & { readonly kind: string; readonly version: number | null }) | null;
  })[];
  readonly webAgents: readonly (Named & {
    readonly isEnabled: boolean;
    readonly conversationId: string;
    readonly version: number;
  })[];
  /** Conversations and flows whose newest version is not live. */
  readonly drafts: readonly (Named & {
    readonly kind: string;
    readonly active: number | null;
    readonly newest: number;
  })[];
  /** The newest records of each kind. */
  readonly records: Readonly<Record<Recorded, readonly Named[]>>;
  readonly failedSources: readonly (Named & { readonly error: string })[];
  readonly deniedIntegrations: readonly (Named & { readonly status: string })[];
}

const counted = {
  flows: 'flows',
  conversations: 'conversations',
  agentProfiles: 'agent_profiles',
  phoneNumbers: 'phone_numbers',
  webAgents: 'web_agents',
  knowledgeBases: 'knowledge_bases',
  integrations: 'integrations',
  secrets: 'secrets',
  trash: 'trash',
};

/** The kinds whose newest records an overview names, besides numbers and web agents. */
const recorded = {
  flows: 'flows',
  conversations: 'conversations',
  agentProfiles: 'agent_profiles',
  knowledgeBases: 'knowledge_bases',
  integrations: 'integrations',
} as const satisfies Partial<typeof counted>;
type Recorded = keyof typeof recorded;

/** The first rows of a query, as JSON. */
const first = (rows: string, count: number) =>
  `(select coalesce(json_agg(row_to_json(listed)), '[]') from (${rows} limit ${count}) listed)`;

const ofProject = 'project_id = :projectId';

/** One statement, whatever the project holds. */
const readOverview = `
  select json_build_object(${Object.entries(counted)
    .map(([name, table]) => `'${name}', (select count(*) from ${table} where ${ofProject})`)
    .join(', ')}) as counts,
  (select require_disclosure from projects where id = :projectId) as "requireDisclosure",
  ${first(
    `select id, name, number, status = 'enabled' as "isEnabled", coalesce(
       (select json_build_object('kind', 'flow', 'id', flows.id, 'name', flows.name, 'version',
          (select version from flow_versions where ${ofProject} and flow_versions.flow_id = flows.id and is_active))
        from flows where ${ofProject} and flows.id = phone_numbers.flow_id),
       (select json_build_object('kind', 'conversation', 'id', conversations.id, 'name', conversations.name,
          'version', active_version)
        from conversations where ${ofProject} and conversations.id = phone_numbers.conversation_id)) as handler
     from phone_numbers where ${ofProject} order by id desc`,
    5,
  )} as numbers,
  ${first(
    `select web_agents.id, web_agents.name, status = 'active' as "isEnabled", conversation_id as "conversationId",
       active_version as version
     from web_agents join conversations on conversations.project_id = web_agents.project_id
       and conversations.id = conversation_id
     where web_agents.${ofProject} order by web_agents.id desc`,
    3,
  )} as "webAgents",
  ${first(
    `select * from (
       select 'conversation' as kind, id, name, active_version as active, newest_version as newest, updated_at
       from conversations where ${ofProject} and newest_version > active_version
       union all
       select 'flow', flows.id, name, version, newest_version, flows.updated_at
       from flows join flow_versions on flow_versions.project_id = flows.project_id and flow_id = flows.id and is_active
       where flows.${ofProject} and newest_version > version
     ) drafts order by updated_at desc, id`,
    3,
  )} as drafts,
  json_build_object(${Object.entries(recorded)
    .map(
      ([name, table]) =>
        `'${name}', ${first(`select id, name from ${table} where ${ofProject} order by id desc`, 4)}`,
    )
    .join(', ')}) as records,
  ${first(
    `select id, name, error from knowledge_sources where ${ofProject} and error is not null order by id desc`,
    3,
  )} as "failedSources",
  ${first(
    `select id, name, status from integrations where ${ofProject} and status in ('disconnected', 'error')
     order by id desc`,
    3,
  )} as "deniedIntegrations"`;

/** Bytes of the longest document that an overview reads. `parley doctor` reads all. */
const longestDocument = 65_536;

/** An active version: the configuration of a flow, or the design of a conversation. */
export interface LiveDocument {
  readonly kind: 'flow' | 'conversation';
  readonly id: string;
  readonly name: string;
  readonly document: unknown;
}

const readLive = `
  select 'flow' as kind, flows.id, name, flow_schema as document
  from flows join flow_versions on flow_versions.project_id = flows.project_id and flow_id = flows.id and is_active
  where flows.${ofProject} and flows.id = any(cast(:ids as text[])) and flow_schema_bytes <= :longestDocument
  union all
  select 'conversation', conversations.id, name, design
  from conversations join conversation_versions on conversation_versions.project_id = conversations.project_id
    and conversation_id = conversations.id and n = active_version
  where conversations.${ofProject} and conversations.id = any(cast(:ids as text[]))
    and design_bytes <= :longestDocument`;

/** Looks over a project. */
export class OverviewStore extends TenantStore {
  async look(): Promise<Overview> {
    return only(await this.sql<Overview>(readOverview, {}));
  }

  /** The active versions of these flows and conversations, unless they are long, in no order. */
  live(ids: readonly string[]): Promise<LiveDocument[]> {
    return this.sql<LiveDocument>(readLive, { ids, longestDocument });
  }
}
