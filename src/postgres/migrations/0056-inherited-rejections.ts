import type { Knex } from 'knex';

/**
 * `rejected_places` has what a rejected version brought, and `inherited_rejections` the rejected versions whose places a later
 * version still holds. Both are null in rows of earlier releases: places are then found when the next version is judged.
 */
const columns = (
  [
    ['flow_versions', 'flow_id', 'version'],
    ['conversation_versions', 'conversation_id', 'n'],
  ] as const
)
  .map(
    ([table, record, number]) => `
  alter table ${table} add column rejected_places json, add column inherited_rejections json;
  create index ${table}_rejected on ${table} (project_id, ${record}, ${number}) where rejected_at is not null;`,
  )
  .join('');

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
