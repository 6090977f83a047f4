import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';

/**
 * The writing side of the index. It is next to the reading side, because both have to agree on the tables of chunks,
 * words and vectors; `src/resources/knowledge` owns bases, sources and runs, and decides when to write.
 */

/** A chunk to be stored. */
export interface NewChunk {
  readonly heading: string;
  readonly text: string;
  /** A text search configuration of Postgres. */
  readonly language: string;
}

export interface KnowledgeChunkRow {
  project_id: string;
  knowledge_base_id: string;
  source_id: string;
  url: string;
  /** Counts the chunks of a page from 0. */
  position: number;
  heading: string;
  text: string;
  language: string;
}

/** A page of a source. The page of a file has an empty URL. */
export interface PageKey {
  readonly projectId: string;
  readonly sourceId: string;
  readonly url: string;
}

/** One statement for all chunks of a page: a round trip for each would take longer than everything else. */
const insertChunks = `
  insert into knowledge_chunks
    (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
  select cast(:projectId as text), cast(:knowledgeBaseId as text), cast(:sourceId as text), cast(:url as text),
    place - 1, heading, text, language
  from unnest(cast(:headings as text[]), cast(:texts as text[]), cast(:languages as text[]))
    with ordinality as chunk (heading, text, language, place)`;

/** Takes the page from whoever embeds its old chunks. */
const unclaimed = { embedded_by: '', embedding_lease: null, embedding_due: '-infinity' } as const;

/** Replaces the chunks of a page. */
export async function replaceChunks(
  trx: Knex,
  knowledgeBaseId: string,
  page: PageKey,
  chunks: readonly NewChunk[],
): Promise<void> {
  await deleteChunks(trx, page, [page.url]);
  const { projectId, sourceId, url } = page;
  await trx('knowledge_pages').where({ project_id: projectId, source_id: sourceId, url }).update(unclaimed);
  if (chunks.length === 0) return;
  await runSql(trx, insertChunks, {
    projectId,
    sourceId,
    url,
    knowledgeBaseId,
    headings: chunks.map(({ heading }) => heading),
    texts: chunks.map(({ text }) => text),
    languages: chunks.map(({ language }) => language),
  });
}

/** Deletes the chunks of pages. One statement, because a trigger updates the word counts for each. */
export async function deleteChunks(
  trx: Knex,
  { projectId, sourceId }: Omit<PageKey, 'url'>,
  urls: readonly string[],
): Promise<void> {
  await trx('knowledge_chunks')
    .where({ project_id: projectId, source_id: sourceId })
    .andWhereRaw('url = any (:urls)', { urls: [...urls] })
    .delete();
}
