import type { Queries } from './queries.ts';

/** A new run of what is not deferred. Whoever works on an older one has lost the lease, and stops. */
const startRestored = `
  update knowledge_sources set run = run + 1, lease = null, progress = 0, error = null, updated_at = now(),
    indexing_status = case indexing when 'triggered' then 'inProgress' else 'idle' end
  where project_id = :projectId and :id in (id, knowledge_base_id)
  returning id, indexing`;

/**
 * Indexes a source that came back from the trash, or all of a base that did: their pages and chunks are gone, or are
 * removed before a worker begins.
 */
export async function reindexRestored(
  { knex, indexing }: Queries,
  projectId: string,
  id: string,
): Promise<void> {
  const { rows } = await knex.raw<{ rows: { id: string; indexing: string }[] }>(startRestored, {
    projectId,
    id,
  });
  const triggered = rows.filter((row) => row.indexing === 'triggered');
  await indexing?.add(
    knex,
    triggered.map((row) => ({ projectId, sourceId: row.id })),
  );
}
