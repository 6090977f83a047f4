import { newId } from '../../platform/id.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { now, only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';
import { isRunning } from './indexing-presence.ts';

export type SourceType = 'website' | 'file';
export type IndexingStatus = 'idle' | 'inProgress' | 'completed';
export type Indexing = 'deferred' | 'triggered';

/** A knowledge source (service-api#knowledge-source). */
export interface KnowledgeSource {
  id: string;
  name: string;
  type: SourceType;
  indexingStatus: IndexingStatus;
  /** Percent. */
  progress: number;
  indexing: Indexing;
  /** Why the last indexing failed or, while one is in progress, why it waits for another attempt (decisions#knowledge). */
  error?: string;
}

/** A source with what the contract's record leaves out (decisions#knowledge). */
export interface KnowledgeSourceDetails extends KnowledgeSource {
  /** Of a website. */
  url: string | null;
  /** Of a file. */
  fileName: string | null;
  /** The indexed pages of a website; null for a file. */
  pages: number | null;
  /** When indexing last completed. */
  indexedAt: string | null;
}

/** Where the texts of a source come from. */
export type SourceOrigin =
  | { readonly type: 'website'; readonly url: string; readonly maxPages: number }
  | {
      readonly type: 'file';
      readonly fileName: string;
      readonly mimeType: string;
      /** Seals the file, bound to the new source's id. */
      readonly sealContent: (id: string) => Promise<Buffer>;
    };

export interface NewKnowledgeSource {
  readonly name: string;
  readonly origin: SourceOrigin;
  readonly indexing: Indexing;
}

export interface KnowledgeSourceRow {
  project_id: string;
  knowledge_base_id: string;
  id: string;
  name: string;
  type: SourceType;
  /** Of a website. */
  url: string | null;
  max_pages: number | null;
  /** Of a file. */
  file_name: string | null;
  mime_type: string | null;
  indexing_status: IndexingStatus;
  indexing: Indexing;
  progress: number;
  error: string | null;
  /** The indexed pages of a website, after its first run. */
  pages: number | null;
  /** When a run last completed. */
  indexed_at: Date | null;
  /** Counts the runs; each indexing of the source is one. */
  run: number;
  /** Who indexes the source now. */
  lease: string | null;
  created_at: Date;
  updated_at: Date;
}

const columns = ['id', 'name', 'type', 'indexing_status', 'indexing', 'progress', 'error'] as const;

function toSource(row: Pick<KnowledgeSourceRow, (typeof columns)[number]>): KnowledgeSource {
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

const detailedColumns = [...columns, 'url', 'file_name', 'pages', 'indexed_at'] as const;

function toDetails(row: Pick<KnowledgeSourceRow, (typeof detailedColumns)[number]>): KnowledgeSourceDetails {
  return {
    ...toSource(row),
    url: row.url,
    fileName: row.file_name,
    pages: row.type === 'website' ? (row.pages ?? 0) : null,
    indexedAt: row.indexed_at && timestamp(row.indexed_at),
  };
}

/** The sources of a base in one state. */
export interface SourceState {
  readonly status: IndexingStatus;
  readonly isFailed: boolean;
  readonly count: number;
  readonly newest: string;
}

const countStates = `
  select indexing_status as status, indexing_status = 'idle' and error is not null as "isFailed",
    cast(count(*) as integer) as count, (array_agg(name order by id desc))[1] as newest
  from knowledge_sources where project_id = :projectId and knowledge_base_id = :knowledgeBaseId
  group by 1, 2`;

/** A source as it is while it is indexed. */
export interface SourceRun {
  readonly source: KnowledgeSource;
  /** The size of a file as it is stored; null for a website. */
  readonly fileBytes: number | null;
  /** True once a worker indexes it. */
  readonly hasBegun: boolean;
  /** True if a worker of any process runs on this database. */
  readonly hasWorker: boolean;
}

const findRun = `
  select ${columns.join(', ')}, (
      select octet_length(sealed_content) from knowledge_files file
      where file.project_id = source.project_id and source_id = id
    ) as file_bytes, lease is not null as has_begun,
    exists (select from indexing_workers where ${isRunning}) as has_worker
  from knowledge_sources source where project_id = :projectId and id = :id`;

type RunRow = Pick<KnowledgeSourceRow, (typeof columns)[number]> & {
  readonly file_bytes: number | null;
  readonly has_begun: boolean;
  readonly has_worker: boolean;
};

/** The sources of a project's knowledge bases. */
export class KnowledgeSourceStore extends TenantStore {
  async find(knowledgeBaseId: string, id: string): Promise<KnowledgeSourceDetails | undefined> {
    const row = await this.#sources(knowledgeBaseId)
      .where({ id })
      .first(...detailedColumns);
    return row && toDetails(row);
  }

  /** A source, with the state of its indexing. */
  async run(id: string): Promise<SourceRun | undefined> {
    const [row] = await this.sql<RunRow>(findRun, { id });
    if (!row) return undefined;
    const { file_bytes: fileBytes, has_begun: hasBegun, has_worker: hasWorker } = row;
    return { source: toSource(row), fileBytes, hasBegun, hasWorker };
  }

  /** A source of any base. */
  async details(id: string): Promise<KnowledgeSourceDetails | undefined> {
    const row = await this.table('knowledge_sources')
      .where({ id })
      .first(...detailedColumns);
    return row && toDetails(row);
  }

  /** How many sources a base has in each state, and the name of the newest of them. */
  async states(knowledgeBaseId: string): Promise<SourceState[]> {
    return this.sql<SourceState>(countStates, { knowledgeBaseId });
  }

  list(knowledgeBaseId: string, page: PageRequest): Promise<Page<KnowledgeSourceDetails>> {
    return newestFirst(this.#sources(knowledgeBaseId).select(...detailedColumns), page, toDetails);
  }

  /** Adds a source to a base that the caller holds, and queues its indexing unless that is deferred. */
  async create(
    knowledgeBaseId: string,
    { name, origin, indexing }: NewKnowledgeSource,
  ): Promise<KnowledgeSource> {
    const id = newId('knowledgeSource');
    const isDeferred = indexing === 'deferred';
    const rows = await this.unbound('knowledge_sources')
      .insert({
        project_id: this.projectId,
        id,
        knowledge_base_id: knowledgeBaseId,
        name,
        type: origin.type,
        ...(origin.type === 'website'
          ? { url: origin.url, max_pages: origin.maxPages }
          : { file_name: origin.fileName, mime_type: origin.mimeType }),
        indexing,
        indexing_status: isDeferred ? 'idle' : 'inProgress',
        run: isDeferred ? 0 : 1,
      })
      .returning([...columns]);
    if (origin.type === 'file')
      await this.unbound('knowledge_files').insert({
        project_id: this.projectId,
        source_id: id,
        sealed_content: await origin.sealContent(id),
      });
    if (!isDeferred) await this.#queue(id);
    return toSource(only(rows));
  }

  /** Begins a new run. A run that is under way stops at its next page. */
  async reindex(knowledgeBaseId: string, id: string): Promise<KnowledgeSourceDetails | undefined> {
    const [row] = await this.#sources(knowledgeBaseId)
      .where({ id })
      .update({
        indexing: 'triggered',
        indexing_status: 'inProgress',
        progress: 0,
        error: null,
        lease: null,
        updated_at: now(),
      })
      .increment('run', 1)
      .returning([...detailedColumns]);
    if (!row) return undefined;
    await this.#queue(id);
    return toDetails(row);
  }

  /** Moves a source into the trash and cancels its indexing; returns the id of its entry, or undefined. */
  trash(knowledgeBaseId: string, id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'knowledgeSource', { id, knowledgeBaseId });
  }

  async #queue(sourceId: string): Promise<void> {
    await this.queries.indexing?.add(this.knex, [{ projectId: this.projectId, sourceId }]);
  }

  #sources(knowledgeBaseId: string) {
    return this.table('knowledge_sources').where({ knowledge_base_id: knowledgeBaseId });
  }
}
