import type { Knex } from 'knex';

interface Removal {
  readonly projectId: string;
  readonly knowledgeBaseId: string;
  /** Empty for the words of a base. */
  readonly sourceId: string;
}

/** What one batch takes, so that it is done well within a second: a hundred chunks may have 7,000 words to be counted. */
const [batchPages, batchChunks, batchWords] = [100, 100, 5000];

/** Of the table `knowledge_sources`: nothing of it, or of its base, is being removed. */
export const isWhole = `not exists (
  select from knowledge_removals as removal
  where removal.project_id = knowledge_sources.project_id
    and removal.knowledge_base_id = knowledge_sources.knowledge_base_id
    and removal.source_id in ('', knowledge_sources.id))`;

/** One that nobody works on, held to the end of the transaction; the words of a base go when its sources have. */
const holdRemoval = `
  select project_id as "projectId", knowledge_base_id as "knowledgeBaseId", source_id as "sourceId"
  from knowledge_removals as removal
  where source_id <> '' or not exists (
    select from knowledge_removals as other
    where other.project_id = removal.project_id and other.knowledge_base_id = removal.knowledge_base_id
      and other.source_id <> '')
  order by created_at, project_id, knowledge_base_id, source_id limit 1
  for update skip locked`;

const removeWords = `
  delete from knowledge_words where ctid = any (array(
    select ctid from knowledge_words
    where project_id = :projectId and knowledge_base_id = :knowledgeBaseId limit ${batchWords}))`;

const firstPages = `
  select url from knowledge_pages where project_id = :projectId and source_id = :sourceId
  order by url limit ${batchPages}`;

/** Nobody else changes them, since no run begins before all are removed. One statement: words are counted once. */
const removeChunks = `
  delete from knowledge_chunks where ctid = any (array(
    select chunk.ctid from (${firstPages}) as page
    cross join lateral (
      select ctid from knowledge_chunks
      where project_id = :projectId and source_id = :sourceId and url = page.url
    ) as chunk
    limit ${batchChunks}))`;

const removePages = `
  delete from knowledge_pages
  where project_id = :projectId and source_id = :sourceId and url in (${firstPages})`;

/**
 * Removes a batch of what deletions left: pages of a source with their chunks, or words of a base. Several may do so at
 * once, each for another one; whoever is killed has done nothing of its batch.
 * @returns false where there is nothing to be removed that nobody else works on
 */
export function removeBatch(knex: Knex): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: Removal[] }>(holdRemoval);
    const [removal] = rows;
    if (!removal) return false;
    if (await isMoreLeft(trx, removal)) return true;
    await trx('knowledge_removals')
      .where({
        project_id: removal.projectId,
        knowledge_base_id: removal.knowledgeBaseId,
        source_id: removal.sourceId,
      })
      .delete();
    return true;
  });
}

async function isMoreLeft(trx: Knex, removal: Removal): Promise<boolean> {
  const taken = async (statement: string) =>
    (await trx.raw<{ rowCount: number }>(statement, { ...removal })).rowCount;
  if (removal.sourceId === '') return (await taken(removeWords)) === batchWords;
  return (await taken(removeChunks)) === batchChunks || (await taken(removePages)) === batchPages;
}
