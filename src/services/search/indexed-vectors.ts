import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { hasCode } from '../../postgres/error-code.ts';
import { runSql } from '../../postgres/sql.ts';
import type { PageKey } from './indexed-chunks.ts';
import { type Embeddings, type Vector, vectorText } from './vectors.ts';

export interface KnowledgeEmbeddingRow {
  project_id: string;
  knowledge_base_id: string;
  source_id: string;
  url: string;
  position: number;
  model: string;
  /** A `halfvec` in pgvector's text form. */
  embedding: string;
}

/** A page that this process embeds, until another one takes it over or its chunks are replaced. */
export interface ClaimedPage extends PageKey {
  readonly lease: string;
}

/** A chunk to embed. */
export interface ChunkText {
  readonly knowledgeBaseId: string;
  readonly position: number;
  readonly heading: string;
  readonly text: string;
}

/** A chunk with its vector; undefined if the model refuses the text. */
export interface ChunkVector {
  readonly chunk: ChunkText;
  readonly vector: Vector | undefined;
}

/** Seconds until others may take a page over. */
const leaseSeconds = 120;

/** Claims pages that this model has not embedded. A pending page is left out, because its chunks are about to change. */
const claim = `
  with due as (
    select project_id, source_id, url from knowledge_pages as page
    where status <> 'pending' and (embedded_by < :model or embedded_by > :model) and embedding_due <= now()
      and exists (
        select from knowledge_sources as source where source.project_id = page.project_id and id = page.source_id
      )
    limit :pages for no key update of page skip locked
  )
  update knowledge_pages as page
  set embedding_lease = :lease, embedding_due = now() + make_interval(secs => ${leaseSeconds})
  from due
  where page.project_id = due.project_id and page.source_id = due.source_id and page.url = due.url
  returning page.project_id, page.source_id, page.url`;

const insertVectors = `
  insert into knowledge_embeddings (project_id, knowledge_base_id, source_id, url, position, model, embedding)
  select cast(:projectId as text), base, cast(:sourceId as text), cast(:url as text), position, cast(:model as text),
    cast(embedding as halfvec)
  from unnest(cast(:bases as text[]), cast(:positions as integer[]), cast(:vectors as text[]))
    as made (base, position, embedding)`;

/** About two megabytes of text. */
const insertedAtOnce = 100;

/** Claims at most `pages` pages that this model has not embedded. */
export async function claimPages(knex: Knex, model: string, pages: number): Promise<ClaimedPage[]> {
  const lease = randomUUID();
  const rows = await runSql<{ project_id: string; source_id: string; url: string }>(knex, claim, {
    model,
    pages,
    lease,
  });
  return rows.map((row) => ({ projectId: row.project_id, sourceId: row.source_id, url: row.url, lease }));
}

/** Extends the lease of a page. */
export async function extendPage(knex: Knex, page: ClaimedPage): Promise<void> {
  const until = knex.raw(`now() + make_interval(secs => ${leaseSeconds})`);
  await claimedPage(knex, page).update({ embedding_due: until });
}

/** Returns a page, so that any process can claim it. */
export async function releasePage(knex: Knex, page: ClaimedPage): Promise<void> {
  await claimedPage(knex, page).update({ embedding_lease: null, embedding_due: '-infinity' });
}

/** The chunks of a page, in order. */
export async function chunksOf(knex: Knex, { projectId, sourceId, url }: PageKey): Promise<ChunkText[]> {
  return knex('knowledge_chunks')
    .where({ project_id: projectId, source_id: sourceId, url })
    .orderBy('position')
    .select({ knowledgeBaseId: 'knowledge_base_id' }, 'position', 'heading', 'text');
}

/**
 * Stores the vectors of a page and marks it as embedded, in one transaction. Does nothing if the page is no longer
 * claimed. It locks the source first, in the same order as indexing does.
 */
export async function settlePage(
  knex: Knex,
  page: ClaimedPage,
  model: string,
  chunks: readonly ChunkVector[],
): Promise<void> {
  const { projectId, sourceId, url } = page;
  const key = { project_id: projectId, source_id: sourceId, url };
  await knex.transaction(async (trx) => {
    const source = { project_id: projectId, id: sourceId };
    if (!(await trx('knowledge_sources').where(source).forShare().first('id'))) return;
    const isClaimed = await claimedPage(trx, page).update({
      embedded_by: model,
      embedding_lease: null,
      embedding_due: '-infinity',
    });
    if (!isClaimed) return;
    await trx('knowledge_embeddings').where(key).delete();
    const embedded = chunks.filter(
      (one): one is ChunkVector & { vector: Vector } => one.vector !== undefined,
    );
    for (let at = 0; at < embedded.length; at += insertedAtOnce) {
      const part = embedded.slice(at, at + insertedAtOnce);
      await runSql(trx, insertVectors, {
        projectId,
        sourceId,
        url,
        model,
        bases: part.map(({ chunk }) => chunk.knowledgeBaseId),
        positions: part.map(({ chunk }) => chunk.position),
        vectors: part.map(({ vector }) => vectorText(vector)),
      });
    }
  });
}

function claimedPage(knex: Knex, { projectId, sourceId, url, lease }: ClaimedPage) {
  const key = { project_id: projectId, source_id: sourceId, url };
  return knex('knowledge_pages').where({ ...key, embedding_lease: lease });
}

/** SQLSTATEs of `create index` if another process creates the index at the same time. */
const [duplicateTable, uniqueViolation] = ['42P07', '23505'];

/** Creates the index of a model's vectors: a partial one, because vectors of several lengths share the column. */
export async function indexVectors(
  knex: Knex,
  { model, dimensions }: Pick<Embeddings, 'model' | 'dimensions'>,
): Promise<void> {
  const name = `knowledge_embeddings_${createHash('sha256').update(model).digest('hex').slice(0, 16)}`;
  const [statement] = await runSql<{ sql: string }>(
    knex,
    `select format(
      'create index if not exists %I on knowledge_embeddings using hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops) where model = %L',
      cast(:name as text), cast(:model as text)) as sql`,
    { name, model },
  );
  try {
    await knex.transaction(async (trx) => {
      await runSql(trx, 'set local statement_timeout = 0');
      if (statement) await trx.raw(statement.sql.replaceAll('?', '\\?'));
    });
  } catch (error) {
    if (!hasCode(error, duplicateTable, uniqueViolation)) throw error;
  }
}
