import { statement } from '../db/pipelined.ts';
import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries, timestamp } from './queries.ts';
import { type Referrer, referrersOf } from './referrers.ts';
import { trashDays } from './trash.ts';

export type ConversationKind = 'simple' | 'advanced';

/** A conversation's record (`decisions` 4). */
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
}

export interface NewConversation {
  readonly name: string;
  readonly description: string | null;
  readonly kind: ConversationKind;
  readonly agentId: string | null;
  /** The design of version 1 as JSON text; null where it has none. */
  readonly design: string | null;
  readonly references: DesignReferences | undefined;
}

/** What an active design names, and so keeps from being deleted; each once. */
export interface DesignReferences {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
}

/** What a change of a conversation may set; what is left out stays. */
export interface ConversationChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly agentId?: string | null | undefined;
}

interface ConversationRow {
  id: string;
  project_id: string;
  name: string;
  description: string | null;
  kind: ConversationKind;
  agent_profile_id: string | null;
  newest_version: number;
  active_version: number;
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
  'created_at',
  'updated_at',
] as const;

const findConversation = statement('find_conversation', (knex, $) =>
  knex('conversations')
    .select(...columns)
    .where({ project_id: $(0), id: $(1) }),
);

/** One statement: the conversation and its first version, without a round trip between them. */
const createConversation = `
  with conversation as (
    insert into conversations
      (project_id, id, name, description, kind, agent_profile_id, newest_version, active_version)
    values (:projectId, :id, :name, :description, :kind, :agentId, 1, 1)
    returning ${columns.join(', ')}
  ), first_version as (
    insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
    select project_id, id, 1, 'v1', cast(:design as json), coalesce(octet_length(:design), 0) from conversation
  ), named_integrations as (
    insert into conversation_integrations
    select project_id, id, unnest(cast(:integrationIds as text[])) from conversation
  ), named_knowledge_bases as (
    insert into conversation_knowledge_bases
    select project_id, id, unnest(cast(:knowledgeBaseIds as text[])) from conversation
  )
  select * from conversation`;

/** Makes these what the conversation's active design names. */
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

/** The conversation, its versions and what the active one names move into the trash as they stand. */
const trashConversation = `
  with conversation as (
    delete from conversations where project_id = :projectId and id = :id returning *
  ), versions as (
    delete from conversation_versions where project_id = :projectId and conversation_id = :id returning *
  ), named_integrations as (
    delete from conversation_integrations where project_id = :projectId and conversation_id = :id returning *
  ), named_knowledge_bases as (
    delete from conversation_knowledge_bases where project_id = :projectId and conversation_id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select conversation.project_id, :trashId, 'conversation', conversation.id, conversation.name,
    json_build_object(
      'conversations', json_build_array(row_to_json(conversation)),
      'conversation_versions', (select coalesce(json_agg(row_to_json(versions)), '[]') from versions),
      'conversation_integrations',
        (select coalesce(json_agg(row_to_json(named_integrations)), '[]') from named_integrations),
      'conversation_knowledge_bases',
        (select coalesce(json_agg(row_to_json(named_knowledge_bases)), '[]') from named_knowledge_bases)),
    now() + make_interval(days => :days)
  from conversation`;

function toConversation(row: ConversationRow): Conversation {
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

function bindingOf(references: DesignReferences | undefined) {
  const { integrationIds = [], knowledgeBaseIds = [] } = references ?? {};
  return { integrationIds: [...integrationIds], knowledgeBaseIds: [...knowledgeBaseIds] };
}

function numbered([row]: ConversationRow[]): NumberedConversation | undefined {
  return row && { ...toConversation(row), newestVersion: row.newest_version };
}

/** The conversations of a project. */
export class ConversationStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<Conversation | undefined> {
    const [row] = await this.#queries.point.query(findConversation, [this.#projectId, id]);
    return row && toConversation(row as unknown as ConversationRow);
  }

  async findNumbered(id: string): Promise<NumberedConversation | undefined> {
    return numbered(await this.#rows().where({ id }));
  }

  /** A conversation, held for this transaction: nobody deletes it or adds a version meanwhile. */
  async hold(id: string): Promise<NumberedConversation | undefined> {
    return numbered(await this.#rows().where({ id }).forNoKeyUpdate());
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<Conversation>> {
    const query = this.#rows()
      .select(...columns)
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toConversation), page, ({ id }) => id);
  }

  /** How many the project has. */
  async count(): Promise<number> {
    const { count } = only(await this.#rows().count<{ count: number }[]>('* as count'));
    return count;
  }

  /** Creates a conversation with version 1, active. */
  async create({ references, ...conversation }: NewConversation): Promise<Conversation> {
    const { rows } = await this.#queries.knex.raw<{ rows: ConversationRow[] }>(createConversation, {
      ...conversation,
      ...bindingOf(references),
      projectId: this.#projectId,
      id: newId('conversation'),
    });
    return toConversation(only(rows));
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` alone. */
  async update(
    id: string,
    { name, description, agentId }: ConversationChange,
  ): Promise<Conversation | undefined> {
    const set = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(agentId !== undefined && { agent_profile_id: agentId }),
    };
    if (Object.keys(set).length === 0) return this.find(id);
    return this.#set(id, set);
  }

  /** Makes a version the active one; it has to be there. Active already, it stays as it is. */
  async activate(
    id: string,
    version: number,
    references: DesignReferences | undefined,
  ): Promise<Conversation | undefined> {
    const held = await this.hold(id);
    if (!held || held.activeVersion === version) return held && this.find(id);
    await this.#queries.knex.raw(setReferences, {
      projectId: this.#projectId,
      id,
      ...bindingOf(references),
    });
    return this.#set(id, { active_version: version });
  }

  /** What keeps a conversation from being deleted, at most a hundred; locks it for this transaction. */
  async referrers(id: string): Promise<Referrer[] | undefined> {
    if (!(await this.#rows().where({ id }).forUpdate().first('id'))) return undefined;
    return referrersOf(this.#queries, this.#projectId, 'conversation', id);
  }

  /** Moves a conversation and its versions into the trash; locked already, it gets no more of them meanwhile. */
  async trash(id: string): Promise<void> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    await this.#queries.knex.raw(trashConversation, binding);
  }

  async #set(id: string, set: Partial<ConversationRow>): Promise<Conversation | undefined> {
    const rows = await this.#rows()
      .where({ id })
      .update({ ...set, updated_at: now(this.#queries.knex) })
      .returning([...columns]);
    return rows[0] && toConversation(rows[0]);
  }

  #rows() {
    return this.#queries.knex<ConversationRow>('conversations').where({ project_id: this.#projectId });
  }
}
