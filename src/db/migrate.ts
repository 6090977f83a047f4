import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { migrationNames, migrationSource } from './migrations/index.ts';
import { openPool, type Say } from './pool.ts';

const migrationLock = 727_001;
const pollInterval = 50;

/**
 * Brings the schema up to date. Replicas that start together wait for the first: knex's own lock would make
 * them fail.
 * @throws where the schema is newer than this build knows.
 */
export async function migrate(db: Knex, connectionString: string, say: Say): Promise<void> {
  if (await isUpToDate(db)) return;
  // The lock and the migrations need connections of their own; the caller's pool may have a single one.
  const migrator = openPool({ connectionString, mode: 'write', max: 3, say });
  try {
    await migrateLocked(migrator);
  } finally {
    await migrator.destroy();
  }
}

async function migrateLocked(db: Knex): Promise<void> {
  const session: unknown = await db.client.acquireConnection();
  const ask = async (sql: string): Promise<boolean> => {
    const query = db.raw<{ rows: { ok: boolean }[] }>(sql, [migrationLock]).connection(session);
    return (await query).rows[0]?.ok === true;
  };
  try {
    while (!(await ask('select pg_try_advisory_lock(?) as ok'))) await sleep(pollInterval);
    try {
      await db.migrate.latest({ migrationSource, tableName: migrationsTable });
    } finally {
      await ask('select pg_advisory_unlock(?) as ok');
    }
  } finally {
    await db.client.releaseConnection(session);
  }
}

const migrationsTable = 'schema_migrations';

async function isUpToDate(db: Knex): Promise<boolean> {
  const table = await db.raw<{ rows: { there: boolean }[] }>('select to_regclass(?) is not null as there', [
    migrationsTable,
  ]);
  if (!table.rows[0]?.there) return false;
  const applied = await db<{ name: string }>(migrationsTable).pluck('name');
  const newer = applied.filter((name) => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new Error(
      `the database has ${newer.join(', ')}, which this build does not know: start a newer Parley`,
    );
  return applied.length === migrationNames.length;
}
