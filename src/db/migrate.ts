import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { firstMigrations, migrationNames } from './migrations/index.ts';
import { openPool, sessionConfig, type Warn } from './pool.ts';

const migrationLock = 727_001;
/** Milliseconds. */
const pollInterval = 50;

/** A newer build has migrated the database. The message is one line for the person who starts this one. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Tables outside the migrations: those of a library, and those that not every server supports. */
export interface LibrarySchema {
  isUpToDate(db: Knex): Promise<boolean>;
  bringUpToDate(db: Knex): Promise<void>;
}

/**
 * Brings the schema and those of the libraries up to date. Replicas that start together wait for the first; with knex's
 * own lock, they would fail.
 * @throws NewerSchemaError if a newer build has migrated the database
 */
export async function migrate(
  db: Knex,
  connectionString: string,
  warn: Warn,
  ...libraries: readonly LibrarySchema[]
): Promise<void> {
  if ((await isUpToDate(db)) && (await outdated(db, libraries)).length === 0) return;
  const session = new pg.Client(sessionConfig(connectionString, 'write', 0));
  await session.connect();
  try {
    await holdSchema(session, 'exclusive');
    // The session holds the lock; if it ends, Postgres releases the lock.
    const migrator = openPool({ connectionString, mode: 'write', max: 2, warn, statementTimeout: 0 });
    try {
      await migrateTo(migrator);
      for (const library of await outdated(migrator, libraries)) await library.bringUpToDate(migrator);
    } finally {
      await migrator.destroy();
    }
  } finally {
    await session.end();
  }
}

/**
 * Waits until no other process migrates this database, and prevents migrations until the session ends. `shared` is for
 * sessions that need a stable schema, `exclusive` for one that migrates.
 */
export async function holdSchema(session: pg.Client, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  for (;;) {
    const { rows } = await session.query<{ held: boolean }>(`select ${lock}($1) as held`, [migrationLock]);
    if (rows[0]?.held === true) return;
    await sleep(pollInterval);
  }
}

const migrationsTable = 'schema_migrations';

/** Knex's own tables, which record the applied migrations. */
export const migrationTables: readonly string[] = [migrationsTable, `${migrationsTable}_lock`];

/**
 * The names of the applied migrations, in order. Empty if the database has no schema.
 * @throws NewerSchemaError if this build does not know one of them
 */
export async function appliedMigrations(db: Knex): Promise<string[]> {
  const table = await db.raw<{ rows: { found: boolean }[] }>('select to_regclass(?) is not null as found', [
    migrationsTable,
  ]);
  if (!table.rows[0]?.found) return [];
  const applied = await db<{ id: number; name: string }>(migrationsTable).orderBy('id').pluck('name');
  const newer = applied.filter((name) => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new NewerSchemaError(
      `the database has ${newer.join(', ')}, which this build does not know. Start the newer Parley that migrated it, ` +
        'or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database.',
    );
  return applied;
}

/** Applies the first `count` migrations, or all. The caller holds the schema exclusively. */
export async function migrateTo(db: Knex, count = migrationNames.length): Promise<void> {
  const migrationSource = firstMigrations(count);
  await db.migrate.latest({ migrationSource, tableName: migrationsTable });
}

async function isUpToDate(db: Knex): Promise<boolean> {
  return (await appliedMigrations(db)).length === migrationNames.length;
}

async function outdated(db: Knex, libraries: readonly LibrarySchema[]): Promise<LibrarySchema[]> {
  const upToDate = await Promise.all(libraries.map((library) => library.isUpToDate(db)));
  return libraries.filter((_, index) => upToDate[index] !== true);
}
