import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { migrationNames, migrationSource } from './migrations/index.ts';
import { openPool, type Say, sessionConfig } from './pool.ts';

const migrationLock = 727_001;
const pollInterval = 50;

/** The database was migrated by a newer build; the message is one line for the person who starts this one. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/**
 * Brings the schema up to date. Replicas that start together wait for the first: knex's own lock would make
 * them fail.
 * @throws NewerSchemaError where the schema is newer than this build knows.
 */
export async function migrate(db: Knex, connectionString: string, say: Say): Promise<void> {
  if (await isUpToDate(db)) return;
  const session = new pg.Client(sessionConfig(connectionString, 'write', 0));
  await session.connect();
  try {
    while (!(await holdsLock(session))) await sleep(pollInterval);
    // A connection that ends gives its lock back.
    const migrator = openPool({ connectionString, mode: 'write', max: 2, say, statementTimeout: 0 });
    try {
      await migrator.migrate.latest({ migrationSource, tableName: migrationsTable });
    } finally {
      await migrator.destroy();
    }
  } finally {
    await session.end();
  }
}

async function holdsLock(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    migrationLock,
  ]);
  return rows[0]?.held === true;
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
    throw new NewerSchemaError(
      `the database has ${newer.join(', ')}, which this build does not know: start the newer Parley that made it, ` +
        'or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database',
    );
  return applied.length === migrationNames.length;
}
