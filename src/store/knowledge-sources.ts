import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries } from './queries.ts';
import { trashDays } from './trash.ts';

export type SourceType = 'website' | 'file';
export type IndexingStatus = 'idle' | 'inProgress' | 'completed';
export type Indexing = 'deferred' | 'triggered';

/** Knowledge source, `service-api` part 2. */
export interface KnowledgeSource {
  id: string;
  name: string;
  type: SourceType;
  indexingStatus: IndexingStatus;
  /** Percent. */
  progress: number;
  indexing: Indexing;
  /** Why the last indexing failed (`decisions` 1), or while one is in progress, why it waits for another attempt. */
  error?: string;
}

/** What a source is made of. */
export type SourceOrigin =
  | { readonly type: 'website'; readonly url: string; readonly maxPages: number }
  | {
      readonly type: 'file';
      readonly fileName: string;
      readonly mimeType: string;
      /** Seals the file for the id that the source gets. */
      readonly sealContent: (id: string) => Buffer;
    };

export interface NewKnowledgeSource {
  readonly name: string;
  readonly origin: SourceOrigin;
  readonly indexing: Indexing;
}

interface SourceRow {
  project_id: string;
  knowledge_base_id: string;
  id: string;
  name: string;
  type: SourceType;
  indexing_status: IndexingStatus;
  indexing: Indexing;
  progress: number;
  error: string | null;
}

const columns = ['id', 'name', 'type', 'indexing_status', 'indexing', 'progress', 'error'] as const;

/**
 * The file stays in its table: the trash would hold it a second time, and a restored source needs it there. Pages and
 * chunks, which are made of it, are removed in the background.
 */
const trashSource = `
  with source as (
    delete from knowledge_sources
    where project_id = :projectId and knowledge_base_id = :knowledgeBaseId and id = :id returning *
  ), removal as (
    insert into knowledge_removals (project_id, knowledge_base_id, source_id)
    select project_id, knowledge_base_id, id from source
    on conflict do nothing
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select project_id, :trashId, 'knowledgeSource', id, name,
    json_build_object('knowledge_sources', json_build_array(row_to_json(source))),
    now() + make_interval(days => :days)
  from source
  returning id`;

function toSource(row: Pick<SourceRow, (typeof columns)[number]>): KnowledgeSource {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    indexingStatus: row.indexing_status,
    progress: row.progress,
    indexing: row.indexing,
    ...(row.error !== null && { error: row.error }),
  };
}

/** The sources of a project's knowledge bases. */
export class KnowledgeSourceStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(knowledgeBaseId: string, id: string): Promise<KnowledgeSource | undefined> {
    const row = await this.#rows(knowledgeBaseId)
      .where({ id })
      .first(...columns);
    return row && toSource(row);
  }

  /** Newest first. */
  async list(knowledgeBaseId: string, page: PageRequest): Promise<Page<KnowledgeSource>> {
    const query = this.#rows(knowledgeBaseId)
      .select(...columns)
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toSource), page, ({ id }) => id);
  }

  /** Adds a source to a base that is held, and queues its indexing unless that is deferred. */
  async create(
    knowledgeBaseId: string,
    { name, origin, indexing }: NewKnowledgeSource,
  ): Promise<KnowledgeSource> {
    const { knex } = this.#queries;
    const id = newId('knowledgeSource');
    const key = { project_id: this.#projectId, id };
    const place =
      origin.type === 'website'
        ? { url: origin.url, max_pages: origin.maxPages }
        : { file_name: origin.fileName, mime_type: origin.mimeType };
    const isDeferred = indexing === 'deferred';
    const rows = await knex('knowledge_sources')
      .insert({
        ...key,
        ...place,
        knowledge_base_id: knowledgeBaseId,
        name,
        type: origin.type,
        indexing,
        indexing_status: isDeferred ? 'idle' : 'inProgress',
        run: isDeferred ? 0 : 1,
      })
      .returning<SourceRow[]>([...columns]);
    if (origin.type === 'file')
      await knex('knowledge_files').insert({
        project_id: this.#projectId,
        source_id: id,
        sealed_content: origin.sealContent(id),
      });
    if (!isDeferred) await this.#queue(id);
    return toSource(only(rows));
  }

  /** Begins a new run, also where one is under way: that one stops at its next page. */
  async reindex(knowledgeBaseId: string, id: string): Promise<KnowledgeSource | undefined> {
    const { knex } = this.#queries;
    const [row] = await knex('knowledge_sources')
      .where({ project_id: this.#projectId, knowledge_base_id: knowledgeBaseId, id })
      .update({
        indexing: 'triggered',
        indexing_status: 'inProgress',
        progress: 0,
        error: null,
        lease: null,
        run: knex.raw('run + 1'),
        updated_at: now(knex),
      })
      .returning<SourceRow[]>([...columns]);
    if (!row) return undefined;
    await this.#queue(id);
    return toSource(row);
  }

  /** Moves a source into the trash, and takes back what is queued for it; false where there is none. */
  async trash(knowledgeBaseId: string, id: string): Promise<boolean> {
    const { knex, indexing } = this.#queries;
    const projectId = this.#projectId;
    const binding = { projectId, knowledgeBaseId, id, trashId: newId('trash'), days: trashDays };
    const { rows } = await knex.raw<{ rows: unknown[] }>(trashSource, binding);
    if (rows.length > 0) await indexing?.cancel(knex, [id]);
    return rows.length > 0;
  }

  async #queue(sourceId: string): Promise<void> {
    const { knex, indexing } = this.#queries;
    await indexing?.add(knex, [{ projectId: this.#projectId, sourceId }]);
  }

  #rows(knowledgeBaseId: string) {
    return this.#queries
      .knex<SourceRow>('knowledge_sources')
      .where({ project_id: this.#projectId, knowledge_base_id: knowledgeBaseId });
  }
}
