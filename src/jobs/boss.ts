import type { Knex } from 'knex';
import type { PgBoss } from 'pg-boss';

/** The schema of Postgres in which pg-boss keeps its tables, and the version of them that this release of it has. */
export const jobsSchemaName = 'pgboss';
export const jobsSchemaVersion = 43;

/** Where sources wait to be indexed. */
export const indexingQueueName = 'knowledge-indexing';
/** Where those end that failed for good. */
export const failedQueueName = 'knowledge-indexing-failed';

/** What is known of a job besides its source. */
export interface IndexingJob {
  readonly projectId: string;
  readonly sourceId: string;
  /** How often it was put off because a site did not answer. */
  readonly attempt: number;
  /** Why it was put off the last time. */
  readonly error?: string;
}

/** A pg-boss whose statements run on a pool or in a transaction of ours. It has no connection of its own, and no timer until it is started. */
export async function bossOn(knex: Knex, supervised = false): Promise<PgBoss> {
  // Loaded when there is something to queue: an AI client that only lists tools does not wait for it.
  const { PgBoss: Boss, fromKnex } = await import('pg-boss');
  return new Boss({
    db: fromKnex(knex),
    schema: jobsSchemaName,
    migrate: false,
    supervise: supervised,
    schedule: false,
    // A killed worker's job is missed when its heartbeat is 10 s old, which is looked for this often.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    // The table is small, and what an operator's Postgres does about it is not ours.
    monitorVacuum: false,
    reindex: false,
  });
}
