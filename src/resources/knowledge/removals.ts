import type { Knex } from 'knex';
import { countChanged, runSql } from '../../postgres/sql.ts';

export interface KnowledgeRemovalRow {
  project_id: string;
  knowledge_base_id: string;
  /** Empty if the removal is for the words of the base. */
  source_id: string;
  created_at: Date;
}

interface Removal {
  readonly projectId: string;
  readonly knowledgeBaseId: string;
  readonly sourceId: string;
}

/** The sizes of a batch, which takes well under a second: a hundred chunks may change the counts of 7,000 words. */
const [batchPages, batchChunks, batchWords] = [100, 100, 5000];

/** A condition on `knowledge_sources`: no removal of the source or its base is pending. */
export const hasNoRemoval = `not exists (
  select from knowledge_removals as removal
  where removal.project_id = knowledge_sources.project_id
    and removal.knowledge_base_id = knowledge_sources.knowledge_base_id
    and removal.source_id in ('', knowledge_sources.id))`;

/** Locks a removal that no other worker has. The words of a base are removed after its sources. */
const lockRemoval = `
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

/** No run starts before all chunks are removed, so nobody else changes them. One statement, so that a trigger counts the words once. */
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
 * Removes a batch of a deleted source's pages and chunks, or of a deleted base's words, in one transaction. Several
 * workers may do this at once, each for another removal.
 * @returns false if no removal is left that no other worker has
 */
export function removeBatch(knex: Knex): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const [removal] = await runSql<Removal>(trx, lockRemoval);
    if (!removal) return false;
    if (await removesFullBatch(trx, removal)) return true;
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

/** Whether the batch was full, so that there may be more. */
async function removesFullBatch(trx: Knex, removal: Removal): Promise<boolean> {
  const removed = (sql: string) => countChanged(trx, sql, { ...removal });
  if (removal.sourceId === '') return (await removed(removeWords)) === batchWords;
  return (await removed(removeChunks)) === batchChunks || (await removed(removePages)) === batchPages;
}
