import type { Knex } from 'knex';

/** For the names of deleted records in the list of changes. */
const index = 'create index trash_resources on trash (project_id, resource_id)';

export async function up(db: Knex): Promise<void> {
  await db.raw(index);
}
