import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';
import { failedQueueName, indexingQueueName, jobsSchemaName, jobsSchemaVersion } from './boss.ts';

const names = [indexingQueueName, failedQueueName];

/** Queue options, in seconds. A heartbeat of 10 is the least that pg-boss accepts. */
const options = {
  heartbeatSeconds: 10,
  expireInSeconds: 900,
  // Retries of a job that loses its worker. Each page that is done starts a new job, which counts from 0.
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 5,
  deleteAfterSeconds: 86_400,
  retentionSeconds: 86_400 * 30,
};

/** The tables and queues of pg-boss. The caller of `bringUpToDate` holds the lock of Parley's migrations. */
export const jobsSchema = {
  async isUpToDate(db: Knex): Promise<boolean> {
    const [table] = await runSql<{ exists: boolean }>(db, 'select to_regclass(:name) is not null as exists', {
      name: `${jobsSchemaName}.version`,
    });
    if (!table?.exists) return false;
    const [found] = await runSql<{ version: number; queues: number }>(
      db,
      `select version, (select count(*) from ${jobsSchemaName}.queue where name = any (:names)) as queues
       from ${jobsSchemaName}.version`,
      { names },
    );
    return found !== undefined && found.version >= jobsSchemaVersion && found.queues === names.length;
  },

  async bringUpToDate(db: Knex): Promise<void> {
    const { PgBoss, fromKnex } = await import('pg-boss');
    const boss = new PgBoss({ db: fromKnex(db), schema: jobsSchemaName, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    try {
      await boss.start();
      await boss.createQueue(failedQueueName, { ...options, deleteAfterSeconds: 86_400 * 30 });
      // At most one job of a source waits: a second one would do the same work.
      await boss.createQueue(indexingQueueName, { ...options, policy: 'short', deadLetter: failedQueueName });
    } finally {
      await boss.stop({ graceful: false, close: false });
    }
  },
};
