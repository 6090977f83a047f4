import type { Knex } from 'knex';

/** Which chunks: those of a source, or of one of its pages. */
export interface ChunksOfSource {
  readonly projectId: string;
  readonly sourceId: string;
  readonly url?: string;
}

/** In the order of the primary key: two pages of one base that are written at once wait for each other, in no circle. */
const counting = `
  insert into knowledge_words as known (project_id, knowledge_base_id, language, word, chunks)
  select project_id, knowledge_base_id, language, word, cast(:by as integer) * count(*)
  from knowledge_chunks
    cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)
  where project_id = :projectId and source_id = :sourceId and (cast(:url as text) is null or url = :url)
  group by project_id, knowledge_base_id, language, word
  order by project_id, knowledge_base_id, language, word
  on conflict (project_id, knowledge_base_id, language, word)
    do update set chunks = greatest(known.chunks + excluded.chunks, 0)`;

/**
 * Keeps the list of words that searching a base goes by: called with 1 right after chunks are inserted, and with -1
 * right before they are deleted, in the transaction that does so, as late in it as can be: it holds up whoever else
 * writes to the base. Chunks that are not counted are found only beside others; chunks that are gone and still counted
 * make their words seem less telling, and nothing worse.
 */
export async function countWords(
  trx: Knex,
  { projectId, sourceId, url }: ChunksOfSource,
  by: 1 | -1,
): Promise<void> {
  await trx.raw(counting, { projectId, sourceId, url: url ?? null, by });
}
