import { TenantStore } from '../../store/tenant-store.ts';
import type { SearchKind } from './project-search.ts';

/** A record that uses another one: a number or page on which callers meet it, or a record that refers to it. */
export interface Use {
  /** The record that is used. */
  readonly usedId: string;
  readonly kind: 'phoneNumber' | 'webAgent' | 'flow' | 'conversation' | 'agentProfile';
  readonly name: string;
  /** Of a phone number. */
  readonly number: string | null;
}

/** Users of each kind that are read of one record. */
const mostOfAKind = 10;
/** The newest conversations of a project whose designs are searched for an id, and the bytes of the longest design. */
const [mostConversations, longestDesign] = [200, 65_536];

/** The first rows that use a record, by its id. */
const users = (kind: Use['kind'], rows: string, number = 'cast(null as text)') =>
  `(select '${kind}' as kind, uses.name, ${number} as number from ${rows} order by uses.id desc limit ${mostOfAKind})`;

const ofProject = 'uses.project_id = :projectId';
/** The conversations whose active design names a knowledge base. */
const knowing = `conversation_knowledge_bases named
  join conversations on conversations.project_id = named.project_id and conversations.id = named.conversation_id`;
const knows = 'named.project_id = :projectId and named.knowledge_base_id = used.id';

/** Numbers and web agents count if callers meet them: they are enabled. */
const findUses = `
  select used.id as "usedId", found.kind, found.name, found.number
  from unnest(cast(:ids as text[])) as used (id)
  cross join lateral (${[
    users(
      'phoneNumber',
      `phone_numbers uses where ${ofProject} and flow_id = used.id and status = 'enabled'`,
      'number',
    ),
    users(
      'phoneNumber',
      `phone_numbers uses where ${ofProject} and conversation_id = used.id and status = 'enabled'`,
      'number',
    ),
    users(
      'webAgent',
      `web_agents uses where ${ofProject} and conversation_id = used.id and status = 'active'`,
    ),
    users(
      'phoneNumber',
      `${knowing} join phone_numbers uses on ${ofProject} and uses.conversation_id = conversations.id
       where ${knows} and uses.status = 'enabled'`,
      'number',
    ),
    users(
      'webAgent',
      `${knowing} join web_agents uses on ${ofProject} and uses.conversation_id = conversations.id
       where ${knows} and uses.status = 'active'`,
    ),
    users('flow', `flows uses where ${ofProject} and agent_profile_id = used.id`),
    users('conversation', `conversations uses where ${ofProject} and agent_profile_id = used.id`),
    users(
      'conversation',
      `conversation_knowledge_bases named join conversations uses on ${ofProject} and uses.id = conversation_id
       where ${knows}`,
    ),
    users(
      'conversation',
      `conversation_integrations named join conversations uses on ${ofProject} and uses.id = conversation_id
       where named.project_id = :projectId and named.integration_id = used.id`,
    ),
    users('agentProfile', `agent_profiles uses where ${ofProject} and output_voice_id = used.id`),
  ].join(' union all ')}) found`;

/** The tables of the records that may be used, by kind. */
const tables = {
  flow: 'flows',
  conversation: 'conversations',
  agentProfile: 'agent_profiles',
  knowledgeBase: 'knowledge_bases',
  knowledgeSource: 'knowledge_sources',
  phoneNumber: 'phone_numbers',
  webAgent: 'web_agents',
  integration: 'integrations',
  voice: 'voices',
} as const satisfies Record<SearchKind, string>;

const findRecord = Object.entries(tables)
  .map(
    ([kind, table]) =>
      `select '${kind}' as kind, name from ${table} where project_id = :projectId and id = :id`,
  )
  .join(' union all ');

/** The conversations whose newest or active design mentions an id; drafts have no rows of references. */
const findMentions = `
  select distinct recent.id, recent.name from (
    select project_id, id, name, newest_version, active_version from conversations
    where project_id = :projectId order by id desc limit ${mostConversations}
  ) recent
  join conversation_versions versions on versions.project_id = recent.project_id and conversation_id = recent.id
    and n in (newest_version, active_version)
  where design_bytes <= ${longestDesign} and strpos(cast(design as text), cast(:id as text)) > 0
  order by recent.id desc limit ${mostOfAKind}`;

/** Finds what uses the records of a project. */
export class UseStore extends TenantStore {
  /** The kind and name of a record that may be used; undefined if the project has no such record. */
  async record(id: string): Promise<{ readonly kind: SearchKind; readonly name: string } | undefined> {
    const [row] = await this.sql<{ kind: SearchKind; name: string }>(findRecord, { id });
    return row;
  }

  /** What uses each of these records, at most ten of a kind. */
  of(ids: readonly string[]): Promise<Use[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.sql<Use>(findUses, { ids });
  }

  /** The names of the conversations whose newest or active design mentions an id, also as a draft. */
  async mentions(id: string): Promise<string[]> {
    const rows = await this.sql<{ name: string }>(findMentions, { id });
    return rows.map(({ name }) => name);
  }
}
