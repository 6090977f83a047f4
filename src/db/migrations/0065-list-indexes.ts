import type { Knex } from 'knex';

/** In the order in which changes are listed. Without it, a list of an operation that is rare reads the whole log. */
const changes = 'create index audit_log_operation on audit_log (project_id, operation, id)';

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
