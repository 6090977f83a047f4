import { only } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { ScenarioChange } from '../scenarios/store.ts';
import {
  type InheritedRejection,
  inheritedOf,
  type SelectedInherited,
  selectInherited,
} from '../versions/rejection-store.ts';

/** A record of a project. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  /** True if another record of its kind has the same name, so that a name does not tell which is meant. */
  readonly isShared: boolean;
}

/** What answers a number or a web agent, with its active version. */
export interface OverviewHandler extends NamedRecord {
  readonly kind: 'flow' | 'conversation';
  readonly version: number;
}

/** The versions of a flow or a conversation. */
interface Versioned extends NamedRecord {
  readonly active: number;
  readonly newest: number;
}

interface Judged extends Versioned {
  /** True if the newest version is rejected, so that it waits for nobody. */
  readonly isRejected: boolean;
}

/** A flow or a conversation whose newest version waits. */
interface Draft extends Versioned {
  readonly kind: 'flow' | 'conversation';
  /** Who made the versions since the live one, of which at most the newest hundred count. */
  readonly authors: string[];
  /** The rejections that its newest version inherits. */
  readonly rejections: InheritedRejection[];
}

/** An active version that holds a text which was rejected in another flow or conversation. */
interface LiveRejected {
  readonly name: string;
  readonly version: number;
  readonly rejections: InheritedRejection[];
}

/** What the statement reads. */
interface OverviewRow extends Omit<Overview, 'drafts' | 'liveRejected'> {
  readonly drafts: readonly (Omit<Draft, 'rejections'> & { readonly rejections: SelectedInherited | null })[];
  readonly liveRejected: readonly (Omit<LiveRejected, 'rejections'> & {
    readonly rejections: SelectedInherited;
  })[];
}

/** What a project has, and what of it is live. Lists hold the first few. */
export interface Overview {
  readonly requireDisclosure: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly numbers: readonly {
    readonly name: string;
    readonly number: string;
    readonly isEnabled: boolean;
    readonly handler: OverviewHandler | null;
  }[];
  readonly webAgents: readonly (NamedRecord & {
    readonly isEnabled: boolean;
    readonly handler: OverviewHandler;
  })[];
  /** First those with a draft, then those that callers meet, then the newest. */
  readonly flows: readonly Judged[];
  readonly conversations: readonly Judged[];
  readonly agentProfiles: readonly NamedRecord[];
  readonly knowledgeBases: readonly NamedRecord[];
  readonly integrations: readonly NamedRecord[];
  /** The flows and conversations whose newest version is neither live nor rejected, the last changed first. */
  readonly drafts: readonly Draft[];
  /** Active versions that hold what was rejected in other flows and conversations. */
  readonly liveRejected: readonly LiveRejected[];
  /** How many drafts there are, listed or not. */
  readonly draftCount: number;
  /** What has become of the scenarios that drafts have to pass, since a newer version last went live; the last changed first. */
  readonly scenarioChanges: readonly {
    readonly conversationId: string;
    readonly name: string;
    readonly change: ScenarioChange;
    /** The name of the key that changed it last; null on the command line. */
    readonly by: string | null;
  }[];
  /** Conversations that require their scenarios, and have none. */
  readonly withoutScenarios: readonly { readonly name: string }[];
  readonly failedSources: readonly { readonly name: string; readonly error: string }[];
  readonly deniedIntegrations: readonly { readonly name: string; readonly status: string }[];
  /** The limits that most sessions of the last 24 hours have reached, such as `session turns`. */
  readonly reachedLimits: readonly { readonly limit: string; readonly sessions: number }[];
  /** Secrets that nobody has bound to hosts since before secrets were bound. */
  readonly unboundSecrets: readonly { readonly name: string }[];
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

/** The tables whose records are listed by name. */
const named = [
  'flows',
  'conversations',
  'agent_profiles',
  'web_agents',
  'knowledge_bases',
  'integrations',
] as const;

/** Records of a kind that an overview names at most: more would not fit into one for an agent. */
const mostListed = 64;
/** Drafts that an overview lists. */
const mostDrafts = 100;
/** Changes of scenarios that an overview lists. */
const mostScenarioChanges = 50;
/** Sources and integrations that an overview describes. */
const mostDescribed = 3;

/** Sessions at a limit that an overview counts. */
const mostAtLimit = 1_000;

/** The first rows of a query, as JSON. */
const first = (rows: string, count: number) =>
  `(select coalesce(json_agg(row_to_json(listed)), '[]') from (${rows} limit ${count}) listed)`;

const ofProject = 'project_id = :projectId';

/** The names that several records of a kind have. */
const shared = named
  .map(
    (table) => `select '${table}' as kind, btrim(name) as name from ${table}
      where ${ofProject} group by btrim(name) having count(*) > 1`,
  )
  .join(' union all ');

const isShared = (table: (typeof named)[number]) =>
  `('${table}', btrim(${table}.name)) in (select kind, name from shared)`;

/** The newest records of a kind. */
const newest = (table: (typeof named)[number]) =>
  first(
    `select id, name, ${isShared(table)} as "isShared" from ${table} where ${ofProject} order by id desc`,
    mostListed,
  );

const handlers = {
  flow: `json_build_object('kind', 'flow', 'id', flows.id, 'name', flows.name, 'isShared', ${isShared('flows')}, 'version',
    (select version from flow_versions where ${ofProject} and flow_versions.flow_id = flows.id and is_active))`,
  conversation: `json_build_object('kind', 'conversation', 'id', conversations.id, 'name', conversations.name,
    'isShared', ${isShared('conversations')}, 'version', active_version)`,
};

const flowsWithActive = `flows join flow_versions
  on flow_versions.project_id = flows.project_id and flow_id = flows.id and is_active`;

const isNewestRejected = {
  flow: `exists (select from flow_versions versions where versions.${ofProject} and versions.flow_id = flows.id
    and versions.version = newest_version and rejected_at is not null)`,
  conversation: `exists (select from conversation_versions versions where versions.${ofProject}
    and conversation_id = conversations.id and n = newest_version and rejected_at is not null)`,
};

/** Versions of one draft whose authors count. */
const mostAuthored = 100;

/** What a list of drafts says besides, from their table of versions. */
const ofDraft = (kind: 'flow' | 'conversation', number: string) => {
  const versions = `${kind}_versions versions where versions.${ofProject} and versions.${kind}_id = drafts.id`;
  return {
    authors: `(
      select json_agg(distinct api_keys.name) from (
        select author from ${versions} and ${number} > drafts.active order by ${number} desc limit ${mostAuthored}
      ) made join api_keys on api_keys.${ofProject} and api_keys.id = author
    )`,
    rejections: `(select ${selectInherited(kind, 'versions')} from ${versions} and ${number} = drafts.newest)`,
  };
};
const ofFlow = ofDraft('flow', 'version');
const ofConversation = ofDraft('conversation', 'n');

/** The active versions of a kind that say what they inherit. */
const activeWithInherited = {
  flow: `select flows.id, flows.name, versions.version, ${selectInherited('flow', 'versions')} as rejections
    from flow_versions versions join flows on flows.project_id = versions.project_id and flows.id = flow_id
    where versions.${ofProject} and inherited_rejections is not null and is_active`,
  conversation: `select conversations.id, conversations.name, n, ${selectInherited('conversation', 'versions')}
    from conversation_versions versions join conversations
      on conversations.project_id = versions.project_id and conversations.id = conversation_id and active_version = n
    where versions.${ofProject} and inherited_rejections is not null`,
};

/** One statement, whatever the project holds. */
const readOverview = `
  with shared as materialized (${shared}), drafts as materialized (
    select 'conversation' as kind, id, name, ${isShared('conversations')} as "isShared", active_version as active,
      newest_version as newest, updated_at
    from conversations where ${ofProject} and newest_version > active_version and not ${isNewestRejected.conversation}
    union all
    select 'flow', flows.id, name, ${isShared('flows')}, version, newest_version, flows.updated_at
    from ${flowsWithActive} where flows.${ofProject} and newest_version > version and not ${isNewestRejected.flow}
  )
  select json_build_object(${Object.entries(counted)
    .map(([name, table]) => `'${name}', (select count(*) from ${table} where ${ofProject})`)
    .join(', ')}) as counts,
  (select require_disclosure from projects where id = :projectId) as "requireDisclosure",
  ${first(
    `select name, number, status = 'enabled' as "isEnabled", coalesce(
       (select ${handlers.flow} from flows where ${ofProject} and flows.id = phone_numbers.flow_id),
       (select ${handlers.conversation} from conversations
        where ${ofProject} and conversations.id = phone_numbers.conversation_id)) as handler
     from phone_numbers where ${ofProject} order by id desc`,
    mostListed,
  )} as numbers,
  ${first(
    `select web_agents.id, web_agents.name, ${isShared('web_agents')} as "isShared", status = 'active' as "isEnabled",
       ${handlers.conversation} as handler
     from web_agents join conversations on conversations.project_id = web_agents.project_id
       and conversations.id = conversation_id
     where web_agents.${ofProject} order by web_agents.id desc`,
    mostListed,
  )} as "webAgents",
  ${first(
    `select flows.id, name, ${isShared('flows')} as "isShared", version as active, newest_version as newest,
       ${isNewestRejected.flow} as "isRejected"
     from ${flowsWithActive} where flows.${ofProject}
     order by newest_version > version desc,
       flows.id in (select flow_id from phone_numbers where ${ofProject} and flow_id is not null) desc, flows.id desc`,
    mostListed,
  )} as flows,
  ${first(
    `select id, name, ${isShared('conversations')} as "isShared", active_version as active, newest_version as newest,
       ${isNewestRejected.conversation} as "isRejected"
     from conversations where ${ofProject}
     order by newest_version > active_version desc,
       id in (select conversation_id from phone_numbers where ${ofProject} and conversation_id is not null
         union all select conversation_id from web_agents where ${ofProject}) desc, id desc`,
    mostListed,
  )} as conversations,
  ${newest('agent_profiles')} as "agentProfiles",
  ${newest('knowledge_bases')} as "knowledgeBases",
  ${newest('integrations')} as integrations,
  (select coalesce(json_agg(json_build_object('kind', kind, 'id', id, 'name', name, 'isShared', "isShared",
      'active', active, 'newest', newest,
      'authors', coalesce(case kind when 'flow' then ${ofFlow.authors} else ${ofConversation.authors} end, '[]'),
      'rejections', case kind when 'flow' then ${ofFlow.rejections} else ${ofConversation.rejections} end)
      order by updated_at desc, id), '[]')
    from (select * from drafts order by updated_at desc, id limit ${mostDrafts}) drafts) as drafts,
  (select cast(count(*) as integer) from drafts) as "draftCount",
  ${first(
    `select name, version, rejections from (${activeWithInherited.flow} union all ${activeWithInherited.conversation}) active
     where rejections is not null order by id desc`,
    mostDescribed,
  )} as "liveRejected",
  ${first(
    `select scenario_changes.conversation_id as "conversationId", scenario_changes.name, change,
       (select name from api_keys where ${ofProject} and api_keys.id = changed_by) as by
     from scenario_changes join drafts on drafts.kind = 'conversation' and drafts.id = conversation_id
       join conversations on conversations.project_id = scenario_changes.project_id and conversations.id = conversation_id
     where scenario_changes.${ofProject} and requires_scenarios order by changed_at desc, scenario_changes.name`,
    mostScenarioChanges,
  )} as "scenarioChanges",
  ${first(
    `select name from conversations where ${ofProject} and requires_scenarios and not exists (
       select from scenarios where ${ofProject} and conversation_id = conversations.id
     ) order by id desc`,
    mostDescribed,
  )} as "withoutScenarios",
  ${first(
    `select name, error from knowledge_sources where ${ofProject} and error is not null order by id desc`,
    mostDescribed,
  )} as "failedSources",
  ${first(
    `select name, status from integrations where ${ofProject} and status in ('disconnected', 'error')
     order by id desc`,
    mostDescribed,
  )} as "deniedIntegrations",
  ${first(
    `select "limit", cast(count(*) as integer) as sessions from (
       select reached_limit as "limit" from sessions
       where ${ofProject} and reached_limit is not null and active_at > now() - interval '24 hours'
       order by active_at desc limit ${mostAtLimit}
     ) recent group by "limit" order by sessions desc, "limit"`,
    mostDescribed,
  )} as "reachedLimits",
  ${first(`select name from secrets where ${ofProject} and hosts is null order by name`, mostDescribed)} as "unboundSecrets"`;

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
  from ${flowsWithActive} where flows.${ofProject} and flows.id = any(cast(:ids as text[])) and flow_schema_bytes <= :longestDocument
  union all
  select 'conversation', conversations.id, name, design
  from conversations join conversation_versions on conversation_versions.project_id = conversations.project_id
    and conversation_id = conversations.id and n = active_version
  where conversations.${ofProject} and conversations.id = any(cast(:ids as text[]))
    and design_bytes <= :longestDocument`;

/** Looks over a project. */
export class OverviewStore extends TenantStore {
  async look(): Promise<Overview> {
    const { drafts, liveRejected, ...overview } = only(await this.sql<OverviewRow>(readOverview, {}));
    const read = <Version extends { readonly rejections: SelectedInherited | null }>(version: Version) => ({
      ...version,
      rejections: inheritedOf(version.rejections),
    });
    return { ...overview, drafts: drafts.map(read), liveRejected: liveRejected.map(read) };
  }

  /** The active versions of these flows and conversations, unless they are long, in no order. */
  live(ids: readonly string[]): Promise<LiveDocument[]> {
    return this.sql<LiveDocument>(readLive, { ids, longestDocument });
  }
}
