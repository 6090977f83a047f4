import type { JsonDocument } from '../../operation/document.ts';
import { newId } from '../../platform/id.ts';
import { statement } from '../../postgres/statement.ts';
import { designText } from '../../store/json-document.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { definedIn, now, only, timestamp } from '../../store/queries.ts';
import { type Referrer, referrersOf } from '../../store/referrers.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';
import { liveBegins, liveEnds } from '../versions/live-periods.ts';
import { type AnyRejected, isAnyRejected } from '../versions/rejection-store.ts';

export type ConversationKind = 'simple' | 'advanced';

/** A conversation (decisions#conversations). */
export interface Conversation {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  kind: ConversationKind;
  agentId: string | null;
  activeVersion: number;
  createdAt: string;
  updatedAt: string;
}

/** A conversation with the number of its newest version. */
export interface NumberedConversation extends Conversation {
  newestVersion: number;
  /** True if a version goes live only if its scenarios have passed. */
  requireScenarios: boolean;
}

export interface NewConversation {
  readonly name: string;
  readonly description: string | null;
  readonly kind: ConversationKind;
  readonly agentId: string | null;
  /** The design of version 1; null if it has none. */
  readonly design: JsonDocument | null;
  readonly references: DesignReferences | undefined;
  /** True if its author may publish. */
  readonly isApproved: boolean;
}

/** The records that an active design names, each once; they cannot be deleted. */
export interface DesignReferences {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
}

/** A change of a conversation; members that are left out stay as they are. */
export interface ConversationChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly agentId?: string | null | undefined;
  /** True if a version goes live only if its scenarios have passed. */
  readonly requireScenarios?: boolean | undefined;
}

export interface ConversationRow {
  project_id: string;
  id: string;
  name: string;
  description: string | null;
  kind: ConversationKind;
  agent_profile_id: string | null;
  newest_version: number;
  active_version: number;
  requires_scenarios: boolean;
  /** False until somebody who may publish has made a version live, if version 1 is of somebody who may not. */
  is_approved: boolean | null;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'project_id',
  'name',
  'description',
  'kind',
  'agent_profile_id',
  'newest_version',
  'active_version',
  'requires_scenarios',
  'created_at',
  'updated_at',
] as const;

const lockConversation = `
  select ${columns.join(', ')} from conversations where project_id = :projectId and id = :id for no key update`;

const findConversation = statement('find_conversation', (knex, $) =>
  knex('conversations')
    .select(...columns)
    .where({ project_id: $(0), id: $(1) }),
);

/** Callers meet the active version if it is assigned, also if nobody has activated it. */
const findLive = `
  select active_version = :version and (is_approved is not false
    or exists (select from phone_numbers numbers
      where numbers.project_id = :projectId and numbers.conversation_id = conversations.id)
    or exists (select from web_agents agents
      where agents.project_id = :projectId and agents.conversation_id = conversations.id)) as "isLive"
  from conversations where project_id = :projectId and id = :id`;

/** One statement for the conversation and its first version saves a round trip. */
const createConversation = `
  with conversation as (
    insert into conversations
      (project_id, id, name, description, kind, agent_profile_id, newest_version, active_version, is_approved)
    values (:projectId, :id, :name, :description, :kind, :agentId, 1, 1, :isApproved)
    returning ${columns.join(', ')}
  ), first_version as (
    insert into conversation_versions
      (project_id, conversation_id, n, tag, design, design_bytes, author, live_at, live_periods, live_count,
        search_text)
    select project_id, id, 1, 'v1', cast(:design as json), coalesce(octet_length(:design), 0),
      cast(:author as text), now(), tstzmultirange(tstzrange(cast(now() as timestamptz(3)), null)), 1, :searchText
    from conversation
  ), named_integrations as (
    insert into conversation_integrations
    select project_id, id, unnest(cast(:integrationIds as text[])) from conversation
  ), named_knowledge_bases as (
    insert into conversation_knowledge_bases
    select project_id, id, unnest(cast(:knowledgeBaseIds as text[])) from conversation
  )
  select ${columns.join(', ')}, ${isAnyRejected} from conversation`;

/** Replaces the records that the conversation's active design names. */
const setReferences = `
  with other_integrations as (
    delete from conversation_integrations
    where project_id = :projectId and conversation_id = :id
      and integration_id <> all (cast(:integrationIds as text[]))
  ), other_knowledge_bases as (
    delete from conversation_knowledge_bases
    where project_id = :projectId and conversation_id = :id
      and knowledge_base_id <> all (cast(:knowledgeBaseIds as text[]))
  ), named_integrations as (
    insert into conversation_integrations
    select cast(:projectId as text), cast(:id as text), unnest(cast(:integrationIds as text[]))
    on conflict do nothing
  )
  insert into conversation_knowledge_bases
  select cast(:projectId as text), cast(:id as text), unnest(cast(:knowledgeBaseIds as text[]))
  on conflict do nothing`;

const ends = liveEnds('coalesce(live_at, case when n = 1 then created_at end)');

/**
 * One statement, so that the period of one version ends when that of the other begins. What has changed about the scenarios
 * was there to see for whoever makes a newer version live.
 */
const goLive = `
  with moment as materialized (select cast(clock_timestamp() as timestamptz(3)) as at), seen as (
    delete from scenario_changes where cast(:version as bigint) > cast(:former as bigint) and project_id = :projectId and conversation_id = :id
  )
  update conversation_versions set
    live_at = case when n = :version then at else live_at end,
    live_periods = case when n = :version then ${liveBegins.live_periods} else ${ends.live_periods} end,
    live_count = case when n = :version then ${liveBegins.live_count} else ${ends.live_count} end
  from moment
  where project_id = :projectId and conversation_id = :id and n in (:version, :former)`;

type ShownRow = Pick<ConversationRow, (typeof columns)[number]>;

function toConversation(row: ShownRow): Conversation {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    agentId: row.agent_profile_id,
    activeVersion: row.active_version,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

function toNumbered(row: ShownRow): NumberedConversation {
  return {
    ...toConversation(row),
    newestVersion: row.newest_version,
    requireScenarios: row.requires_scenarios,
  };
}

function bindingsOf(references: DesignReferences | undefined) {
  const { integrationIds = [], knowledgeBaseIds = [] } = references ?? {};
  return { integrationIds, knowledgeBaseIds };
}

/** The conversations of a project. */
export class ConversationStore extends TenantStore {
  async find(id: string): Promise<Conversation | undefined> {
    const row = await this.read(findConversation, id);
    return row && toConversation(row);
  }

  async findNumbered(id: string): Promise<NumberedConversation | undefined> {
    const row = await this.read(findConversation, id);
    return row && toNumbered(row);
  }

  /** Locks a conversation for this transaction, so that nobody deletes it or adds a version. */
  async hold(id: string): Promise<NumberedConversation | undefined> {
    const [row] = await this.sql<ShownRow>(lockConversation, { id });
    return row && toNumbered(row);
  }

  /** True if a version goes live only if its scenarios have passed; undefined if there is no such conversation. */
  async requiresScenarios(id: string): Promise<boolean | undefined> {
    const row = await this.#conversation(id).first('requires_scenarios');
    return row?.requires_scenarios;
  }

  /** True for the active version if somebody who may publish has made it live, or assigned it to a number or a web agent. */
  async isLive(id: string, version: number): Promise<boolean> {
    const [row] = await this.sql<{ isLive: boolean }>(findLive, { id, version });
    return row?.isLive === true;
  }

  list(page: PageRequest): Promise<Page<Conversation>> {
    return newestFirst(this.table('conversations').select(...columns), page, toConversation);
  }

  count(): Promise<number> {
    return this.countRows('conversations');
  }

  /** Creates a conversation with version 1, active. Returns whether the project has rejected versions, too. */
  async create({
    references,
    design,
    ...conversation
  }: NewConversation): Promise<Conversation & AnyRejected> {
    const bindings = {
      ...conversation,
      ...bindingsOf(references),
      design: design?.json ?? null,
      searchText: designText(design?.value),
      id: newId('conversation'),
      author: this.author,
    };
    const row = only(await this.sql<ShownRow & AnyRejected>(createConversation, bindings));
    return { ...toConversation(row), isAnyRejected: row.isAnyRejected };
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` as it is. */
  async update(
    id: string,
    { name, description, agentId, requireScenarios }: ConversationChange,
  ): Promise<Conversation | undefined> {
    const set = definedIn({
      name,
      description,
      agent_profile_id: agentId,
      requires_scenarios: requireScenarios,
    });
    return Object.keys(set).length === 0 ? this.find(id) : this.#set(id, set);
  }

  /**
   * Makes an existing version the active one, for somebody who may publish. A conversation whose version is active already stays
   * as it is, and is approved.
   */
  async activate(
    id: string,
    version: number,
    references: DesignReferences | undefined,
  ): Promise<Conversation | undefined> {
    const row = await this.#conversation(id)
      .forNoKeyUpdate()
      .first(...columns, 'is_approved');
    if (row?.is_approved === false) await this.#conversation(id).update({ is_approved: true });
    if (!row || row.active_version === version) return row && toConversation(row);
    await Promise.all([
      this.sql(setReferences, { id, ...bindingsOf(references) }),
      this.sql(goLive, { id, version, former: row.active_version }),
    ]);
    return this.#set(id, { active_version: version });
  }

  /** Locks a conversation and returns what keeps it from being deleted, as `referrersOf` does. */
  referrers(id: string): Promise<Referrer[] | undefined> {
    return referrersOf(this.queries, this.projectId, 'conversations', id);
  }

  /** Moves a conversation and its versions into the trash; it must be locked, so that it gets no further version. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'conversation', { id });
  }

  async #set(id: string, set: Partial<ConversationRow>): Promise<Conversation | undefined> {
    const [row] = await this.#conversation(id)
      .update({ ...set, updated_at: now() })
      .returning([...columns]);
    return row && toConversation(row);
  }

  #conversation(id: string) {
    return this.table('conversations').where({ id });
  }
}
