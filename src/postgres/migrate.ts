import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { baselineName, firstMigrations, migrationNames } from './migrations/index.ts';
import { openPool, type Warn } from './pool.ts';
import { sessionConfig } from './session-config.ts';
import { type PointReader, statement } from './statement.ts';

const migrationLock = 727_001;
/** Milliseconds. */
const pollInterval = 50;

/** This build cannot continue from the schema of the database. The message is one line for the person who starts Parley. */
export class UnknownSchemaError extends Error {
  override readonly name = 'UnknownSchemaError';
}

/** Tables outside the migrations: those of a library, and those that not every server supports. */
export interface LibrarySchema {
  isUpToDate(db: Knex): Promise<boolean>;
  bringUpToDate(db: Knex): Promise<void>;
}

/**
 * Brings the schema and those of the libraries up to date. Replicas that start together wait for the first; with knex's
 * own lock, they would fail.
 * @throws UnknownSchemaError if a newer build has migrated the database, or none since the baseline
 */
export async function migrate(
  db: Knex,
  connectionString: string,
  warn: Warn,
  ...libraries: readonly LibrarySchema[]
): Promise<void> {
  if ((await isUpToDate(db)) && (await outdated(db, libraries)).length === 0) return;
  const holder = new pg.Client(sessionConfig(connectionString, 'write'));
  await holder.connect();
  try {
    await lockSchema(holder, 'exclusive');
    const migrator = openPool({ connectionString, mode: 'write', max: 2, warn, statementTimeout: 0 });
    try {
      await migrateTo(migrator);
      for (const library of await outdated(migrator, libraries)) await library.bringUpToDate(migrator);
    } finally {
      await migrator.destroy();
    }
  } finally {
    await holder.end();
  }
}

/** `shared` is for work that needs a stable schema, `exclusive` for work that changes it. */
export type SchemaLock = 'shared' | 'exclusive';

/**
 * Waits until no other process migrates this database, and prevents migrations until `client` ends. The client can do
 * nothing else: its transaction stays open, because a pooler may give the next transaction to another session.
 */
export async function lockSchema(client: pg.Client, mode: SchemaLock): Promise<void> {
  const lock = mode === 'shared' ? 'pg_try_advisory_xact_lock_shared' : 'pg_try_advisory_xact_lock';
  for (;;) {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query<{ held: boolean }>(`select ${lock}($1) as held`, [migrationLock]);
    if (rows[0]?.held === true) return;
    await client.query('rollback');
    await sleep(pollInterval);
  }
}

const migrationsTable = 'schema_migrations';

/** Knex's own tables, which record the applied migrations. */
export const migrationTables: readonly string[] = [migrationsTable, `${migrationsTable}_lock`];

/** The migrations that a database or an archive has, compared with those of this build. */
export interface KnownMigrations {
  /** In order, from the baseline on. */
  readonly applied: readonly string[];
  /** Those of `applied` that this build lacks. */
  readonly newer: readonly string[];
  /** The last one, if it precedes the baseline. */
  readonly tooOld: string | undefined;
}

export function compareMigrations(names: readonly string[]): KnownMigrations {
  const applied = names.filter((name) => name >= baselineName);
  return {
    applied,
    newer: applied.filter((name) => !migrationNames.includes(name)),
    tooOld: applied.length === 0 ? names.at(-1) : undefined,
  };
}

/**
 * The names of the applied migrations from the baseline on, in order. Empty if the database has no schema.
 * @throws UnknownSchemaError if this build does not know one of them, or cannot continue from the last one
 */
export async function appliedMigrations(db: Knex): Promise<readonly string[]> {
  const table = await db.raw<{ rows: { found: boolean }[] }>('select to_regclass(?) is not null as found', [
    migrationsTable,
  ]);
  if (!table.rows[0]?.found) return [];
  const names = await db<{ id: number; name: string }>(migrationsTable).orderBy('id').pluck('name');
  const { applied, newer, tooOld } = compareMigrations(names);
  if (newer.length > 0)
    throw new UnknownSchemaError(
      `the database has ${newer.join(', ')}, which this build does not know. Start the newer Parley that migrated it, ` +
        'or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database.',
    );
  if (tooOld !== undefined)
    throw new UnknownSchemaError(
      `the database ends at ${tooOld}, and this build continues from ${baselineName}. Run "parley migrate" with an ` +
        'earlier Parley that has both, and then start this one.',
    );
  return applied;
}

const newestMigration = statement('newest_migration', (knex, $) =>
  knex<{ name: string }, { name: string }[]>(migrationsTable)
    .select('name')
    .where({ name: $(0) }),
);

/** True if the database has every migration of this build; a newer build may have added others. */
export async function isMigrated(point: PointReader): Promise<boolean> {
  const found = await point.query(newestMigration, [migrationNames.at(-1) ?? '']);
  return found.length > 0;
}

/**
 * Applies the first `count` migrations, or all. The caller holds the schema exclusively.
 * @throws UnknownSchemaError as `appliedMigrations`
 */
export async function migrateTo(db: Knex, count = migrationNames.length): Promise<void> {
  await appliedMigrations(db);
  await db.migrate.latest({
    migrationSource: firstMigrations(count),
    tableName: migrationsTable,
    // Knex knows nothing of a baseline: it would refuse a database that has the migrations before it.
    disableMigrationsListValidation: true,
  });
}

async function isUpToDate(db: Knex): Promise<boolean> {
  return (await appliedMigrations(db)).length === migrationNames.length;
}

async function outdated(db: Knex, libraries: readonly LibrarySchema[]): Promise<LibrarySchema[]> {
  const upToDate = await Promise.all(libraries.map((library) => library.isUpToDate(db)));
  return libraries.filter((_, index) => upToDate[index] !== true);
}
