import type { Queries } from '../../store/queries.ts';

/** Starts a new run unless indexing is deferred. A worker of an older run has lost its lease and stops. */
const startRestored = `
  update knowledge_sources set run = run + 1, lease = null, progress = 0, error = null, pages = null, indexed_at = null,
    updated_at = now(),
    indexing_status = case indexing when 'triggered' then 'inProgress' else 'idle' end
  where project_id = :projectId and :id in (id, knowledge_base_id)
  returning id, indexing`;

/**
 * Indexes a source, or all sources of a base, after it was restored from the trash. Its pages and chunks are gone, or
 * are removed before a worker begins.
 */
export async function reindexRestored(
  { knex, sql, indexing }: Queries,
  projectId: string,
  id: string,
): Promise<void> {
  const { rows } = await sql(startRestored, { projectId, id });
  const triggered = (rows as { id: string; indexing: string }[]).filter(
    (row) => row.indexing === 'triggered',
  );
  await indexing?.add(
    knex,
    triggered.map((row) => ({ projectId, sourceId: row.id })),
  );
}
