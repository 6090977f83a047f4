import { newId } from '../../platform/id.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { definedIn, now, only } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';

export type WebAgentScope = 'voice' | 'chat';
export type WebAgentChannel = 'widget' | 'api';
export type WebAgentStatus = 'active' | 'disabled';

/** A web agent (service-api#web-agent). */
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

/** A change of a web agent; members that are left out stay as they are. */
export interface WebAgentChange {
  readonly name?: string | undefined;
  readonly scopes?: readonly WebAgentScope[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly conversationId?: string | undefined;
  readonly status?: WebAgentStatus | undefined;
}

/** Where a web agent hands visitors over. */
export interface WebAgentHandover {
  readonly url: string;
  /** Signs what is sent there. */
  readonly sealedSecret: Buffer;
}

/** What a web session begins with. */
export interface SessionStart {
  readonly webAgent: WebAgent;
  /** The active version of its conversation. */
  readonly activeVersion: number;
  /** The time of the database's clock. */
  readonly now: Date;
}

export interface WebAgentRow {
  project_id: string;
  id: string;
  name: string;
  channel: WebAgentChannel;
  scopes: WebAgentScope[];
  allowed_origins: string[];
  conversation_id: string;
  status: WebAgentStatus;
  created_at: Date;
  updated_at: Date;
  /** Set with the secret, or null with it. */
  handover_url: string | null;
  sealed_handover_secret: Buffer | null;
}

const columns = [
  'id',
  'project_id',
  'name',
  'channel',
  'scopes',
  'allowed_origins',
  'conversation_id',
  'status',
] as const;
type RecordRow = Pick<WebAgentRow, (typeof columns)[number]>;

const startSession = `
  select ${columns.map((column) => `web_agent.${column}`).join(', ')}, active_version, clock_timestamp() as now
  from web_agents as web_agent
  join conversations as conversation
    on conversation.project_id = web_agent.project_id and conversation.id = web_agent.conversation_id
  where web_agent.project_id = :projectId and web_agent.id = :id`;

function toWebAgent(row: RecordRow): WebAgent {
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
export class WebAgentStore extends TenantStore {
  async find(id: string): Promise<WebAgent | undefined> {
    const row = await this.table('web_agents')
      .where({ id })
      .first(...columns);
    return row && toWebAgent(row);
  }

  /** Locks a web agent for this transaction, so that nobody changes or deletes it. */
  async hold(id: string): Promise<WebAgent | undefined> {
    const row = await this.table('web_agents')
      .where({ id })
      .forNoKeyUpdate()
      .first(...columns);
    return row && toWebAgent(row);
  }

  /** Reads what a session begins with, all as of one moment. */
  async startSession(id: string): Promise<SessionStart | undefined> {
    const [row] = await this.sql<RecordRow & { active_version: number; now: Date }>(startSession, { id });
    return row && { webAgent: toWebAgent(row), activeVersion: row.active_version, now: row.now };
  }

  list(page: PageRequest): Promise<Page<WebAgent>> {
    return newestFirst(this.table('web_agents').select(...columns), page, toWebAgent);
  }

  /** Creates a web agent, active. */
  async create(webAgent: NewWebAgent): Promise<WebAgent> {
    const rows = await this.unbound('web_agents')
      .insert({
        project_id: this.projectId,
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
    const set = definedIn({
      name,
      scopes: scopes && [...scopes],
      allowed_origins: allowedOrigins && [...allowedOrigins],
      conversation_id: conversationId,
      status,
    });
    if (Object.keys(set).length === 0) return this.find(id);
    const [row] = await this.table('web_agents')
      .where({ id })
      .update({ ...set, updated_at: now() })
      .returning([...columns]);
    return row && toWebAgent(row);
  }

  /** Where a web agent hands visitors over; undefined if it has no address of its own, or does not exist. */
  async handover(id: string): Promise<WebAgentHandover | undefined> {
    const row = await this.table('web_agents').where({ id }).first('handover_url', 'sealed_handover_secret');
    if (!row?.handover_url || !row.sealed_handover_secret) return undefined;
    return { url: row.handover_url, sealedSecret: row.sealed_handover_secret };
  }

  /** Sets where a web agent hands visitors over; undefined removes it. */
  async setHandover(id: string, handover: WebAgentHandover | undefined): Promise<void> {
    await this.table('web_agents')
      .where({ id })
      .update({
        handover_url: handover?.url ?? null,
        sealed_handover_secret: handover?.sealedSecret ?? null,
        updated_at: now(),
      });
  }

  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'webAgent', { id });
  }
}
