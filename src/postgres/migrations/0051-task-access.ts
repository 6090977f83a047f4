import type { Knex } from 'knex';

/** What the caller of a task was allowed to do. Null in tasks of replicas of earlier releases: the access of the tool counts. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table tasks add column access text[]');
}
