import type { Knex } from 'knex';

/** Nullable, because a row in the trash may have been kept without them. */
const columns = `
  alter table knowledge_sources add column pages integer, add column indexed_at timestamptz(3);
  update knowledge_sources as source set
    pages = (
      select count(*) from knowledge_pages as page
      where page.project_id = source.project_id and source_id = source.id and status = 'done'
    ),
    indexed_at = case indexing_status when 'completed' then updated_at end;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
