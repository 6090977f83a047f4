import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import { deleteChunks, type NewChunk, replaceChunks } from '../../services/search/indexed-chunks.ts';
import type { SourceToIndex } from '../../store/indexing-queue.ts';
import { now, only } from '../../store/queries.ts';
import { type EncodedPiece, piecesQuery, type SealedPiece, sealedPieces } from '../../store/sealed-file.ts';
import { hasNoRemoval } from './removals.ts';

/** The content that a run indexes. */
export type RunOrigin =
  | { readonly type: 'website'; readonly url: string; readonly maxPages: number }
  | { readonly type: 'file'; readonly fileName: string; readonly mimeType: string };

/** The number of a run's pages in each state. */
export interface Tally {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly pending: number;
  /** Those of the pending pages that wait until the others are read. */
  readonly putOff: number;
}

/** A page to read. The start page has depth 0. */
export interface Pending {
  readonly url: string;
  readonly depth: number;
}

/** The outcome of a page. */
export interface PageResult {
  readonly url: string;
  readonly depth: number;
  readonly status: 'done' | 'failed' | 'skipped';
  readonly title?: string | undefined;
  /** Why it was not indexed. */
  readonly error?: string;
  /** The new chunks; undefined keeps those of the run before. */
  readonly chunks?: readonly NewChunk[] | undefined;
}

/** Another worker has the source, it was deleted, or a newer run has started. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface KnowledgePageRow {
  project_id: string;
  source_id: string;
  /** Empty for a file. */
  url: string;
  /** The run that has seen the page last. */
  run: number;
  depth: number;
  status: 'pending' | PageResult['status'];
  title: string | null;
  error: string | null;
  /** The model of the page's vectors; empty if it has none. */
  embedded_by: string;
  /** Held by the worker that embeds the page, until `embedding_due`. */
  embedding_lease: string | null;
  embedding_due: Date | '-infinity';
}

export interface KnowledgeFileRow {
  project_id: string;
  source_id: string;
  sealed_content: Buffer;
}

/** Adds pages to the run. Pages of a run before are taken over. */
const insertPages = `
  insert into knowledge_pages (project_id, source_id, url, run, depth, status)
  select cast(:projectId as text), cast(:sourceId as text), url, cast(:run as bigint), cast(:depth as integer), 'pending'
  from unnest(cast(:urls as text[])) with ordinality as found (url, place)
  where not exists (
    select from knowledge_pages as known
    where project_id = :projectId and source_id = :sourceId and known.url = found.url and run = :run
  )
  order by place limit :room
  on conflict (project_id, source_id, url) do update
    set run = excluded.run, depth = excluded.depth, status = 'pending', title = null, error = null
    where knowledge_pages.run <> excluded.run`;

const putPage = `
  insert into knowledge_pages (project_id, source_id, url, run, depth, status, title, error)
  values (:projectId, :sourceId, :url, :run, :depth, :status, :title, :error)
  on conflict (project_id, source_id, url) do update
    set run = excluded.run, depth = excluded.depth, status = excluded.status, title = excluded.title, error = excluded.error`;

const readFile = piecesQuery(
  'knowledge_files',
  'sealed_content',
  'project_id = :projectId and source_id = :sourceId',
);

const tally = `
  select cast(count(*) filter (where status = 'done') as integer) as done,
    cast(count(*) filter (where status = 'failed') as integer) as failed,
    cast(count(*) filter (where status = 'skipped') as integer) as skipped,
    cast(count(*) filter (where status = 'pending') as integer) as pending,
    cast(count(*) filter (where status = 'pending' and error is not null) as integer) as "putOff"
  from knowledge_pages where project_id = :projectId and source_id = :sourceId and run = :run`;

/** Updates the percentage, which never falls although new links add work, and clears the reason for waiting. */
const progress = `
  update knowledge_sources as source
  set updated_at = now(), error = null, progress = greatest(progress, (
    select least(99, 100 * count(*) filter (where status <> 'pending')
      / greatest(1, least(count(*), coalesce(source.max_pages, 1))))
    from knowledge_pages as page
    where page.project_id = source.project_id and source_id = source.id and page.run = source.run
  ))
  where project_id = :projectId and id = :sourceId`;

/** Pages that failed for now keep their passages of the run before, but count as failed. */
const countPages = `
  update knowledge_sources as source
  set pages = (
    select count(*) from knowledge_pages as page
    where page.project_id = source.project_id and source_id = source.id and status = 'done'
  )
  where project_id = :projectId and id = :sourceId`;

/**
 * Takes over the current run of a source. A worker that had it before can no longer write.
 * @returns undefined if the source is not in progress, or if a removal of it is pending
 */
export async function claimRun(knex: Knex, source: SourceToIndex): Promise<Run | undefined> {
  const lease = randomUUID();
  const { projectId, sourceId } = source;
  const [row] = await knex('knowledge_sources')
    .where({ project_id: projectId, id: sourceId, indexing_status: 'inProgress' })
    .andWhereRaw(hasNoRemoval)
    .update({ lease })
    .returning(['knowledge_base_id', 'type', 'url', 'max_pages', 'file_name', 'mime_type', 'run']);
  if (!row) return undefined;
  const origin: RunOrigin =
    row.type === 'website'
      ? { type: 'website', url: row.url ?? '', maxPages: row.max_pages ?? 1 }
      : { type: 'file', fileName: row.file_name ?? '', mimeType: row.mime_type ?? '' };
  return new Run(knex, source, { lease, run: row.run, knowledgeBaseId: row.knowledge_base_id, origin });
}

/** Fails a source in progress that has no worker. */
export async function failSource(
  knex: Knex,
  { projectId, sourceId }: SourceToIndex,
  error: string,
): Promise<void> {
  await knex('knowledge_sources')
    .where({ project_id: projectId, id: sourceId, indexing_status: 'inProgress' })
    .update({ indexing_status: 'idle', progress: 0, error, lease: null, updated_at: now() });
}

interface Claim {
  readonly lease: string;
  readonly run: number;
  readonly knowledgeBaseId: string;
  readonly origin: RunOrigin;
}

/** One indexing of a source. Its writing methods throw LeaseLost if the worker no longer holds the lease. */
export class Run {
  readonly projectId: string;
  readonly sourceId: string;
  readonly origin: RunOrigin;
  readonly #knex: Knex;
  readonly #claim: Claim;

  constructor(knex: Knex, { projectId, sourceId }: SourceToIndex, claim: Claim) {
    this.projectId = projectId;
    this.sourceId = sourceId;
    this.origin = claim.origin;
    this.#knex = knex;
    this.#claim = claim;
  }

  /** The pages of depth 0: the start page, and the page on another host that it redirected to. */
  async starts(): Promise<string[]> {
    return this.#pages().andWhere({ depth: 0 }).pluck('url');
  }

  /** Adds the start page, unless the run has it. */
  async begin(url: string): Promise<void> {
    await this.#write((trx) => this.#addPages(trx, [url], 0, 1));
  }

  /** The next page to read, the nearest to the start first; undefined if all are read or put off. */
  async next(): Promise<Pending | undefined> {
    return this.#pages()
      .andWhere({ status: 'pending', error: null })
      .orderBy(['depth', 'url'])
      .first('url', 'depth');
  }

  async tally(): Promise<Tally> {
    return only(await runSql<Tally>(this.#knex, tally, { ...this.#key, run: this.#claim.run }));
  }

  /** The status of a page; undefined if the run does not know it. */
  async statusOf(url: string): Promise<string | undefined> {
    const row = await this.#pages().andWhere({ url }).first('status');
    return row?.status;
  }

  /**
   * Stores the outcome of pages, their chunks, their links and the progress in one transaction, so that a worker that
   * continues after a kill finds all of it or nothing.
   * @param links canonical URLs of the site; at most `room` new ones are kept
   */
  async settle(
    results: readonly PageResult[],
    { links = [], depth = 0, room = 0 }: { links?: readonly string[]; depth?: number; room?: number } = {},
  ): Promise<void> {
    await this.#write(async (trx) => {
      for (const { url, chunks, title, error, ...result } of results) {
        const key = { ...this.#key, url };
        await runSql(trx, putPage, {
          ...key,
          ...result,
          run: this.#claim.run,
          title: title ?? null,
          error: error ?? null,
        });
        if (chunks) await replaceChunks(trx, this.#claim.knowledgeBaseId, key, chunks);
      }
      await this.#addPages(trx, links, depth, room);
      await runSql(trx, progress, { ...this.#key });
    });
  }

  /** Puts a page off until the others are read. */
  async putOff(url: string, error: string): Promise<void> {
    await this.#write((trx) => this.#pages(trx).andWhere({ url }).update({ error }));
  }

  /** Shows why the source waits for another attempt, which may take minutes. */
  async wait(error: string): Promise<void> {
    await this.#write((trx) => this.#update(trx, { error }));
  }

  /** Makes pages that were put off due again. */
  async resume(): Promise<void> {
    await this.#write((trx) => this.#pages(trx).andWhere({ status: 'pending' }).update({ error: null }));
  }

  /** Completes the run and deletes pages that it has not read. */
  async complete(): Promise<void> {
    await this.#write(async (trx) => {
      const unread = await this.#allPages(trx)
        .whereNot({ run: this.#claim.run })
        .orWhere({ project_id: this.projectId, source_id: this.sourceId, status: 'pending' })
        .pluck('url');
      await this.#drop(trx, unread);
      await this.#end(trx, { indexing_status: 'completed', progress: 100, error: null, indexed_at: now() });
    });
  }

  /** Fails the run. The chunks of the run before stay, unless the failure is final. */
  async fail(error: string, { final }: { readonly final: boolean }): Promise<void> {
    await this.#write(async (trx) => {
      if (final) await this.#drop(trx, await this.#allPages(trx).pluck('url'));
      await this.#end(trx, { indexing_status: 'idle', progress: 0, error });
    });
  }

  /** Whether the source has any chunk. */
  async hasChunks(): Promise<boolean> {
    const { projectId: project_id, sourceId: source_id } = this;
    return (
      (await this.#knex('knowledge_chunks').where({ project_id, source_id }).first('position')) !== undefined
    );
  }

  /** The error of the page nearest to the start that has one. */
  async firstError(): Promise<string | undefined> {
    const row = await this.#pages().whereNotNull('error').orderBy(['depth', 'url']).first('error');
    return row?.error ?? undefined;
  }

  /** The encrypted file of the source. */
  sealedFile(): AsyncIterable<SealedPiece> {
    return sealedPieces((from) => runSql<EncodedPiece>(this.#knex, readFile, { ...this.#key, from }));
  }

  get #key(): SourceToIndex {
    return { projectId: this.projectId, sourceId: this.sourceId };
  }

  #allPages(knex = this.#knex) {
    return knex('knowledge_pages').where({ project_id: this.projectId, source_id: this.sourceId });
  }

  #pages(knex = this.#knex) {
    return this.#allPages(knex).andWhere({ run: this.#claim.run });
  }

  async #addPages(trx: Knex, urls: readonly string[], depth: number, room: number): Promise<void> {
    if (urls.length > 0 && room > 0)
      await runSql(trx, insertPages, { ...this.#key, run: this.#claim.run, depth, room, urls });
  }

  async #drop(trx: Knex, urls: readonly string[]): Promise<void> {
    await deleteChunks(trx, this, urls);
    await this.#allPages(trx)
      .andWhereRaw('url = any (:urls)', { urls: [...urls] })
      .delete();
  }

  async #end(trx: Knex, set: object): Promise<void> {
    await this.#update(trx, { ...set, lease: null });
    await runSql(trx, countPages, { ...this.#key });
  }

  async #update(trx: Knex, set: object): Promise<void> {
    await trx('knowledge_sources')
      .where({ project_id: this.projectId, id: this.sourceId })
      .update({ ...set, updated_at: now() });
  }

  /** Locks the source's row first, so that nobody takes it over, deletes it or starts a new run during the write. */
  #write(work: (trx: Knex.Transaction) => Promise<unknown>): Promise<void> {
    return this.#knex.transaction(async (trx) => {
      const held = await trx('knowledge_sources')
        .where({
          project_id: this.projectId,
          id: this.sourceId,
          run: this.#claim.run,
          lease: this.#claim.lease,
        })
        .forNoKeyUpdate()
        .first('id');
      if (!held) throw new LeaseLost(`another worker indexes ${this.sourceId}`);
      await work(trx);
    });
  }
}
