import type { ConversationKind } from './conversations.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { only, type Queries, timestamp } from './queries.ts';

/** Conversation version summary, `service-api` part 2. */
export interface VersionSummary {
  n: number;
  tag: string;
  isActive: boolean;
  createdAt: string;
}

/** A version as it is looked up: whether there is one, and what kind of conversation it is of. */
export interface FoundVersion {
  readonly kind: ConversationKind;
  /** Null where the conversation has no such version. */
  readonly n: number | null;
  /** Null where there is no version, or it has no design. */
  readonly design: unknown;
}

interface VersionRow {
  n: number;
  tag: string;
  created_at: Date;
}

/** A version by its number, with what decides whether it can be read. */
const findVersion = `
  select kind, n, design
  from conversations
  left join conversation_versions versions
    on versions.project_id = conversations.project_id and conversation_id = conversations.id and n = :n
  where conversations.project_id = :projectId and conversations.id = :conversationId`;

/** The counter stands in the conversation's row, so its lock gives every writer the next number. */
const createVersion = `
  with conversation as (
    update conversations set newest_version = newest_version + 1
    where project_id = :projectId and id = :conversationId
    returning project_id, id, newest_version
  )
  insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
  select project_id, id, newest_version, coalesce(:tag, 'v' || newest_version), cast(:design as json),
    octet_length(:design)
  from conversation
  returning n, tag, created_at`;

/** The versions of a project's conversations. */
export class ConversationVersionStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** One version's design with the kind of its conversation; undefined where there is no conversation. */
  async find(conversationId: string, n: number): Promise<FoundVersion | undefined> {
    const binding = { projectId: this.#projectId, conversationId, n };
    const { rows } = await this.#queries.knex.raw<{ rows: FoundVersion[] }>(findVersion, binding);
    return rows[0];
  }

  /** The design of a version; null where there is no version, or it has none. */
  async design(conversationId: string, n: number): Promise<unknown> {
    const row = await this.#rows(conversationId).where({ n }).first('design');
    return row?.design ?? null;
  }

  /** Highest number first; the cursor is a version number. */
  async list(conversationId: string, page: PageRequest): Promise<Page<Omit<VersionSummary, 'isActive'>>> {
    const query = this.#rows(conversationId)
      .select('n', 'tag', 'created_at')
      .orderBy('n', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('n', '<', page.cursor);
    return pageOf((await query).map(toSummary), page, ({ n }) => String(n));
  }

  /** Stores the next version, not active; the conversation has to be held. `design` is JSON text. */
  async create(conversationId: string, design: string, tag: string | null): Promise<VersionSummary> {
    const { rows } = await this.#queries.knex.raw<{ rows: VersionRow[] }>(createVersion, {
      projectId: this.#projectId,
      conversationId,
      design,
      tag,
    });
    return { ...toSummary(only(rows)), isActive: false };
  }

  #rows(conversationId: string) {
    return this.#queries
      .knex<VersionRow & { project_id: string; conversation_id: string; design: unknown }>(
        'conversation_versions',
      )
      .where({ project_id: this.#projectId, conversation_id: conversationId });
  }
}

function toSummary({ n, tag, created_at }: VersionRow) {
  return { n, tag, createdAt: timestamp(created_at) };
}
