import type { Knex } from 'knex';

/** A passage as it is stored. */
export interface NewChunk {
  readonly heading: string;
  readonly text: string;
  /** A text search configuration of Postgres. */
  readonly language: string;
}

/** Which page of which source; the one of a file has no url. */
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

/** Vectors of the chunks before are nobody's to write any more. */
const unmark = { embedded_by: '', embedding_lease: null, embedding_due: '-infinity' };

/** Puts these chunks in the place of those that a page has. */
export async function replaceChunks(
  trx: Knex,
  knowledgeBaseId: string,
  page: PageKey,
  chunks: readonly NewChunk[],
): Promise<void> {
  await dropChunks(trx, page, [page.url]);
  const { projectId: project_id, sourceId: source_id, url } = page;
  await trx('knowledge_pages').where({ project_id, source_id, url }).update(unmark);
  if (chunks.length === 0) return;
  await trx.raw(insertChunks, {
    projectId: page.projectId,
    sourceId: page.sourceId,
    url: page.url,
    knowledgeBaseId,
    headings: chunks.map(({ heading }) => heading),
    texts: chunks.map(({ text }) => text),
    languages: chunks.map(({ language }) => language),
  });
}

/** Nothing of these pages is found any more. One statement: each counts the words anew. */
export async function dropChunks(
  trx: Knex,
  { projectId, sourceId }: Omit<PageKey, 'url'>,
  urls: readonly string[],
): Promise<void> {
  await trx('knowledge_chunks')
    .where({ project_id: projectId, source_id: sourceId })
    .andWhereRaw('url = any (:urls)', { urls: [...urls] })
    .delete();
}
