import type { Knex } from 'knex';
import type { PgBoss } from 'pg-boss';

/** The Postgres schema of pg-boss, and its version in this release of pg-boss. */
export const jobsSchemaName = 'pgboss';
export const jobsSchemaVersion = 43;

/** The queue of sources to index. */
export const indexingQueueName = 'knowledge-indexing';
/** The dead letter queue of sources that failed for good. */
export const failedQueueName = 'knowledge-indexing-failed';

/** The data of a job. Whoever queues a job writes it; a worker that puts a job off queues the next one with one attempt more. */
export interface IndexingJob {
  readonly projectId: string;
  readonly sourceId: string;
  /** How many jobs of the source before this one were put off because a site did not respond. */
  readonly attempt: number;
  /** Why the last of them was put off. */
  readonly error?: string;
}

/** A pg-boss that runs its statements on the given pool or transaction. It has no timers until it is started. */
export async function bossOn(knex: Knex, supervised = false): Promise<PgBoss> {
  // Loaded on first use, because an AI client that only lists tools should not wait for it.
  const { PgBoss: Boss, fromKnex } = await import('pg-boss');
  return new Boss({
    db: fromKnex(knex),
    schema: jobsSchemaName,
    migrate: false,
    supervise: supervised,
    schedule: false,
    // A killed worker's job is recovered when its heartbeat is 10 s old; this is how often pg-boss checks.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    // The table is small, and vacuuming is up to the operator's Postgres.
    monitorVacuum: false,
    reindex: false,
  });
}
