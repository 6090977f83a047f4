import type { Knex } from 'knex';

/**
 * What rejected versions brought was stored exactly as it was written, so that a space more made it another text. It is found
 * again when the next version is judged. The indexes find active versions that hold what was rejected elsewhere.
 */
const changes = (['flow_versions', 'conversation_versions'] as const)
  .map(
    (table) => `
  update ${table} set rejected_places = null where rejected_places is not null;
  create index ${table}_inherited on ${table} (project_id) where inherited_rejections is not null;`,
  )
  .join('');

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
