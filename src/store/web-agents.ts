import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries } from './queries.ts';
import { trashDays } from './trash.ts';

export type WebAgentScope = 'voice' | 'chat';
export type WebAgentChannel = 'widget' | 'api';
export type WebAgentStatus = 'active' | 'disabled';

/** Web agent, `service-api` part 2. */
export interface WebAgent {
  id: string;
  projectId: string;
  name: string;
  channel: WebAgentChannel;
  scopes: WebAgentScope[];
  allowedOrigins: string[];
  conversationId: string;
  status: WebAgentStatus;
}

export interface NewWebAgent {
  readonly name: string;
  readonly channel: WebAgentChannel;
  readonly scopes: readonly WebAgentScope[];
  readonly allowedOrigins: readonly string[];
  readonly conversationId: string;
}

/** What a change of a web agent may set; what is left out stays. */
export interface WebAgentChange {
  readonly name?: string | undefined;
  readonly scopes?: readonly WebAgentScope[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly conversationId?: string | undefined;
  readonly status?: WebAgentStatus | undefined;
}

/** A web agent with what a session of it begins with. */
export interface SessionStart {
  readonly webAgent: WebAgent;
  /** The version of its conversation that callers meet now. */
  readonly activeVersion: number;
  /** Now, by the database's clock. */
  readonly now: Date;
}

interface WebAgentRow {
  project_id: string;
  id: string;
  name: string;
  channel: WebAgentChannel;
  scopes: WebAgentScope[];
  allowed_origins: string[];
  conversation_id: string;
  status: WebAgentStatus;
}

const columns = [
  'project_id',
  'id',
  'name',
  'channel',
  'scopes',
  'allowed_origins',
  'conversation_id',
  'status',
] as const;

const startSession = `
  select web_agent.*, active_version, clock_timestamp() as now
  from web_agents as web_agent
  join conversations as conversation
    on conversation.project_id = web_agent.project_id and conversation.id = web_agent.conversation_id
  where web_agent.project_id = :projectId and web_agent.id = :id`;

const trashWebAgent = `
  with web_agent as (
    delete from web_agents where project_id = :projectId and id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select project_id, :trashId, 'webAgent', id, name,
    json_build_object('web_agents', json_build_array(row_to_json(web_agent))),
    now() + make_interval(days => :days)
  from web_agent`;

function toWebAgent(row: WebAgentRow): WebAgent {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    channel: row.channel,
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    conversationId: row.conversation_id,
    status: row.status,
  };
}

/** The web agents of a project. */
export class WebAgentStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<WebAgent | undefined> {
    const row = await this.#rows()
      .where({ id })
      .first(...columns);
    return row && toWebAgent(row);
  }

  /** A web agent, held for this transaction: nobody changes or deletes it meanwhile. */
  async hold(id: string): Promise<WebAgent | undefined> {
    const row = await this.#rows()
      .where({ id })
      .forNoKeyUpdate()
      .first(...columns);
    return row && toWebAgent(row);
  }

  /** What a session begins with, all as of one moment. */
  async startSession(id: string): Promise<SessionStart | undefined> {
    const binding = { projectId: this.#projectId, id };
    const { rows } = await this.#queries.knex.raw<{
      rows: (WebAgentRow & { active_version: number; now: Date })[];
    }>(startSession, binding);
    const [row] = rows;
    return row && { webAgent: toWebAgent(row), activeVersion: row.active_version, now: row.now };
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<WebAgent>> {
    const query = this.#rows()
      .select(...columns)
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toWebAgent), page, ({ id }) => id);
  }

  /** Creates a web agent, active. */
  async create(webAgent: NewWebAgent): Promise<WebAgent> {
    const rows = await this.#queries
      .knex<WebAgentRow>('web_agents')
      .insert({
        project_id: this.#projectId,
        id: newId('webAgent'),
        name: webAgent.name,
        channel: webAgent.channel,
        scopes: [...webAgent.scopes],
        allowed_origins: [...webAgent.allowedOrigins],
        conversation_id: webAgent.conversationId,
      })
      .returning([...columns]);
    return toWebAgent(only(rows));
  }

  /** Sets what the change names. */
  async update(id: string, change: WebAgentChange): Promise<WebAgent | undefined> {
    const { name, scopes, allowedOrigins, conversationId, status } = change;
    const set = {
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes: [...scopes] }),
      ...(allowedOrigins !== undefined && { allowed_origins: [...allowedOrigins] }),
      ...(conversationId !== undefined && { conversation_id: conversationId }),
      ...(status !== undefined && { status }),
    };
    if (Object.keys(set).length === 0) return this.find(id);
    const { knex } = this.#queries;
    const rows = await knex<WebAgentRow & { updated_at: Date }>('web_agents')
      .where({ project_id: this.#projectId, id })
      .update({ ...set, updated_at: now(knex) })
      .returning([...columns]);
    return rows[0] && toWebAgent(rows[0]);
  }

  /** Moves a web agent into the trash; false where there is none. */
  async trash(id: string): Promise<boolean> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    const { rowCount } = await this.#queries.knex.raw<{ rowCount: number }>(trashWebAgent, binding);
    return rowCount > 0;
  }

  #rows() {
    return this.#queries.knex<WebAgentRow>('web_agents').where({ project_id: this.#projectId });
  }
}
