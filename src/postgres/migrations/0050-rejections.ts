import type { Knex } from 'knex';

/** Who has rejected a version, when and why. A version that nobody rejected has no `rejected_at`. */
const columns = ['flow_versions', 'conversation_versions']
  .map(
    (table) => `
  alter table ${table}
    add column rejected_at timestamptz(3),
    add column rejected_by text collate "C",
    add column rejection_reason text;`,
  )
  .join('');

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
