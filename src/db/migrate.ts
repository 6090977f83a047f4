import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { firstMigrations, migrationNames } from './migrations/index.ts';
import { openPool, sessionConfig, type Warn } from './pool.ts';

const migrationLock = 727_001;
const pollInterval = 50;

/** The database was migrated by a newer build; the message is one line for the person who starts this one. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Tables beside those of the migrations: what a library keeps, and what not every server can have. */
export interface LibrarySchema {
  isUpToDate(db: Knex): Promise<boolean>;
  bringUpToDate(db: Knex): Promise<void>;
}

/**
 * Brings the schema up to date, and the libraries' beside it. Replicas that start together wait for the first: knex's
 * own lock would make them fail.
 * @throws NewerSchemaError where the schema is newer than this build knows.
 */
export async function migrate(
  db: Knex,
  connectionString: string,
  say: Warn,
  ...libraries: readonly LibrarySchema[]
): Promise<void> {
  if ((await isUpToDate(db)) && (await outdated(db, libraries)).length === 0) return;
  const session = new pg.Client(sessionConfig(connectionString, 'write', 0));
  await session.connect();
  try {
    await holdSchema(session, 'exclusive');
    // A connection that ends gives its lock back.
    const migrator = openPool({ connectionString, mode: 'write', max: 2, say, statementTimeout: 0 });
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
 * Waits until no other process migrates this database, and lets none do so while the session lives; shared among
 * those that only want the schema to stay as it is.
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

/** The tables in which knex keeps account; they describe the schema and hold nothing of Parley's. */
export const migrationTables: readonly string[] = [migrationsTable, `${migrationsTable}_lock`];

/**
 * Names the migrations that a database has, in order; none where it has no schema.
 * @throws NewerSchemaError where one of them is unknown to this build.
 */
export async function appliedMigrations(db: Knex): Promise<string[]> {
  const table = await db.raw<{ rows: { there: boolean }[] }>('select to_regclass(?) is not null as there', [
    migrationsTable,
  ]);
  if (!table.rows[0]?.there) return [];
  const applied = await db<{ id: number; name: string }>(migrationsTable).orderBy('id').pluck('name');
  const newer = applied.filter((name) => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new NewerSchemaError(
      `the database has ${newer.join(', ')}, which this build does not know: start the newer Parley that made it, ` +
        'or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database',
    );
  return applied;
}

/** Applies the first `count` migrations, or all; the caller holds the schema. */
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
