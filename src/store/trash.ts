import { codeOf, ToolError } from '../errors.ts';
import { reindexRestored } from './knowledge-restored.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { type Queries, timestamp } from './queries.ts';

/** Days that what was deleted can be restored. */
export const trashDays = 30;

/** What kinds of resource the trash holds. */
export type TrashKind =
  | 'flow'
  | 'conversation'
  | 'agentProfile'
  | 'webAgent'
  | 'integration'
  | 'phoneNumber'
  | 'voice'
  | 'knowledgeBase'
  | 'knowledgeSource';

/** Something deleted that can be restored. */
export interface TrashEntry {
  id: string;
  kind: TrashKind;
  resourceId: string;
  name: string;
  deletedAt: string;
  expiresAt: string;
}

interface TrashRow {
  project_id: string;
  id: string;
  kind: TrashKind;
  resource_id: string;
  name: string;
  deleted_at: Date;
  expires_at: Date;
}

/** The tables of each kind, parents first; the audio of a voice stands beside them, the file of a source stays where it was. */
const tablesOf: Record<TrashKind, readonly string[]> = {
  flow: ['flows', 'flow_versions'],
  conversation: [
    'conversations',
    'conversation_versions',
    'conversation_integrations',
    'conversation_knowledge_bases',
  ],
  agentProfile: ['agent_profiles'],
  integration: ['integrations'],
  phoneNumber: ['phone_numbers'],
  webAgent: ['web_agents'],
  voice: ['voices'],
  knowledgeBase: ['knowledge_bases', 'knowledge_sources'],
  knowledgeSource: ['knowledge_sources'],
};

const restoreAudio = `
  insert into voice_references (project_id, voice_id, transcript, sealed_audio)
  select project_id, resource_id, rows->'voice_references'->0->>'transcript', sealed_content
  from trash where project_id = :projectId and id = :id`;

const foreignKeyViolation = '23503';

function toEntry(row: Omit<TrashRow, 'project_id'>): TrashEntry {
  return {
    id: row.id,
    kind: row.kind,
    resourceId: row.resource_id,
    name: row.name,
    deletedAt: timestamp(row.deleted_at),
    expiresAt: timestamp(row.expires_at),
  };
}

/** What a project has deleted in the last thirty days. */
export class TrashStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** Deleted last first. */
  async list(page: PageRequest): Promise<Page<TrashEntry>> {
    const { knex } = this.#queries;
    const query = knex<TrashRow>('trash')
      .select('id', 'kind', 'resource_id', 'name', 'deleted_at', 'expires_at')
      .where({ project_id: this.#projectId })
      .andWhere('expires_at', '>', knex.fn.now())
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toEntry), page, ({ id }) => id);
  }

  /**
   * Inserts the stored rows again, under the same ids, and empties the entry.
   * @throws ToolError `not_found` where something that they referred to is gone; `in_use` for a phone number that was
   * added again meanwhile.
   */
  async restore(id: string): Promise<{ id: string; kind: TrashKind } | undefined> {
    const { knex } = this.#queries;
    const taken = await knex<TrashRow>('trash')
      .where({ project_id: this.#projectId, id })
      .andWhere('expires_at', '>', knex.fn.now())
      .forUpdate()
      .first('kind', 'resource_id');
    if (!taken) return undefined;
    try {
      for (const table of tablesOf[taken.kind]) {
        const { rowCount } = await knex.raw<{ rowCount: number }>(
          `insert into ?? select * from json_populate_recordset(null::??,
             (select rows->? from trash where project_id = ? and id = ?)) on conflict do nothing`,
          [table, table, table, this.#projectId, id],
        );
        // A number is unique besides its id; nothing else is.
        if (taken.kind === 'phoneNumber' && rowCount === 0) throw await this.#numberTaken(id);
      }
      if (taken.kind === 'voice') await knex.raw(restoreAudio, { projectId: this.#projectId, id });
      if (taken.kind === 'knowledgeBase' || taken.kind === 'knowledgeSource')
        await reindexRestored(this.#queries, this.#projectId, taken.resource_id);
    } catch (error) {
      if (codeOf(error) !== foreignKeyViolation) throw error;
      throw new ToolError('not_found', `What this ${taken.kind} referred to is gone.`, { cause: error });
    }
    await knex('trash').where({ project_id: this.#projectId, id }).delete();
    return { id: taken.resource_id, kind: taken.kind };
  }

  /** A native number may be another project's now, of which nothing is told. */
  async #numberTaken(id: string): Promise<ToolError> {
    const { rows } = await this.#queries.knex.raw<{ rows: { id: string; name: string }[] }>(
      `select phone_numbers.id, phone_numbers.name from phone_numbers join trash using (project_id)
       where trash.project_id = ? and trash.id = ? and number = rows->'phone_numbers'->0->>'number'`,
      [this.#projectId, id],
    );
    const references = rows.map((row) => ({ kind: 'phoneNumber', ...row }));
    return new ToolError('in_use', 'The number of this phone number is in use again.', {
      details: { references },
    });
  }
}
