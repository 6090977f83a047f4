import type { Knex } from 'knex';
import { failedQueueName, indexingQueueName, jobsSchemaName, jobsSchemaVersion } from './boss.ts';

const names = [indexingQueueName, failedQueueName];

/** How jobs are kept: seconds. A worker that died is missed after ten, the least that pg-boss takes. */
const options = {
  heartbeatSeconds: 10,
  expireInSeconds: 900,
  // Of a job that loses its worker; it starts to count anew with every page that is done.
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 5,
  deleteAfterSeconds: 86_400,
  retentionSeconds: 86_400 * 30,
};

/** The tables and queues of pg-boss, beside our own. The caller of `bringUpToDate` holds the lock of our migrations. */
export const jobsSchema = {
  async isUpToDate(db: Knex): Promise<boolean> {
    const { rows } = await db.raw<{ rows: { there: boolean }[] }>(
      'select to_regclass(?) is not null as there',
      [`${jobsSchemaName}.version`],
    );
    if (!rows[0]?.there) return false;
    const state = await db.raw<{ rows: { version: number; queues: number }[] }>(
      `select version, (select count(*) from ${jobsSchemaName}.queue where name = any (?)) as queues
       from ${jobsSchemaName}.version`,
      [names],
    );
    const [found] = state.rows;
    return found !== undefined && found.version >= jobsSchemaVersion && found.queues === names.length;
  },

  async bringUpToDate(db: Knex): Promise<void> {
    const { PgBoss, fromKnex } = await import('pg-boss');
    const boss = new PgBoss({ db: fromKnex(db), schema: jobsSchemaName, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    try {
      await boss.start();
      await boss.createQueue(failedQueueName, { ...options, deleteAfterSeconds: 86_400 * 30 });
      // One job of a source at most waits; a second one has nothing to add.
      await boss.createQueue(indexingQueueName, { ...options, policy: 'short', deadLetter: failedQueueName });
    } finally {
      await boss.stop({ graceful: false, close: false });
    }
  },
};
