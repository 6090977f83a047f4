import type { Knex } from 'knex';

/** The later versions for which the rejection of a version was lifted. */
const columns = (['flow_versions', 'conversation_versions'] as const)
  .map((table) => `alter table ${table} add column rejection_lifts json;`)
  .join('\n');

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
