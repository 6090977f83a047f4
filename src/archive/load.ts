import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import { from } from 'pg-copy-streams';
import * as v from 'valibot';
import { codeOf } from '../platform/errors.ts';
import { appliedMigrations, compareMigrations, migrateTo } from '../postgres/migrate.ts';
import { baselineName, migrationNames } from '../postgres/migrations/index.ts';
import type { Session } from '../postgres/session.ts';
import { ArchiveError } from './archive-error.ts';
import { format, type Header, Name } from './header.ts';
import type { ArchiveLines } from './lines.ts';
import type { OpenArchive } from './read.ts';
import { copyTarget, quote, readSequences, readTables, type Sequence, type Table } from './tables.ts';
import type { Totals } from './write.ts';

export interface LoadOptions {
  /** Called after everything is loaded, before the commit. */
  readonly beforeCommit: () => void;
  /** Receives a line for each table. */
  readonly report: (line: string) => void;
}

const Announcement = v.strictObject({ table: Name });
const End = v.strictObject({ end: v.string(), rows: v.number(), sha256: v.string() });

/**
 * Loads an archive into a database without rows and brings its schema up to date, in one transaction.
 * @throws ArchiveError if the archive is damaged or does not fit this database, UnknownSchemaError, and what the database
 * throws. Nothing is written then.
 */
export async function loadArchive(
  session: Session,
  { header, lines }: OpenArchive,
  { beforeCommit, report }: LoadOptions,
): Promise<Totals> {
  await session.lockSchema('exclusive');
  return session.transaction(async (trx) => {
    const migrations = knownMigrations(header, await appliedMigrations(trx));
    await takeEmptyTables(trx);
    await migrateTo(trx, migrations.length);
    await requireSameTables(header, trx);
    await trx.raw('set constraints all deferred');
    const totals = await loadTables(session, header, lines, report);
    for (const { name, next } of header.sequences)
      await trx.raw(`alter sequence ${quote(name)} restart with ${next}`);
    await trx.raw('set constraints all immediate');
    await migrateTo(trx);
    // Without statistics, Postgres would plan as for empty tables.
    await trx.raw('analyze');
    beforeCommit();
    return totals;
  });
}

/**
 * The migrations of the archive from the baseline on, which are the first ones of this build.
 * @throws ArchiveError if the archive is newer than this build or older than the baseline, or the database is newer than the
 * archive
 */
function knownMigrations({ migrations }: Header, ofDatabase: readonly string[]): readonly string[] {
  const { applied, newer, tooOld } = compareMigrations(migrations);
  if (newer.length > 0)
    throw new ArchiveError(
      `its schema has ${newer.join(', ')}, which this build does not know. Start a newer Parley.`,
    );
  if (tooOld !== undefined)
    throw new ArchiveError(
      `its schema ends at ${tooOld}, and this build continues from ${baselineName}. ` +
        'Import it with an earlier Parley that has both, and export it with that one.',
    );
  if (applied.length === 0 || applied.some((name, index) => name !== migrationNames[index]))
    throw new ArchiveError('it is damaged in its header: no build has these migrations');
  if (ofDatabase.length > applied.length)
    throw new ArchiveError(
      `the database has a newer schema (${ofDatabase.slice(applied.length).join(', ')}). ` +
        'Import into a database without a schema, or a new PARLEY_HOME.',
    );
  return applied;
}

/**
 * Locks all tables. A server that starts now waits, and then finds the rows.
 * @throws ArchiveError if there are rows
 */
async function takeEmptyTables(trx: Knex.Transaction): Promise<void> {
  const names = (await readTables(trx)).map(({ name }) => name);
  // The first check takes no locks, because this may be the wrong database, and in use.
  await requireEmpty(trx, names);
  if (names.length > 0) await trx.raw(`lock table ${names.map(quote).join(', ')} in access exclusive mode`);
  await requireEmpty(trx, names);
}

async function requireEmpty(trx: Knex.Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { rows } = await trx.raw<{ rows: unknown[] }>(`select from ${quote(name)} limit 1`);
    if (rows.length > 0)
      throw new ArchiveError(
        `the database is not empty (${name} has rows). Name an empty one with DATABASE_URL, or a new PARLEY_HOME. ` +
          'Start no server there before, or only with --no-demo, because the demo counts.',
      );
  }
}

/** @throws ArchiveError unless the archive has the tables, columns and sequences that its migrations create */
async function requireSameTables(header: Header, trx: Knex.Transaction): Promise<void> {
  const described = ({ tables, sequences }: { tables: readonly Columns[]; sequences: readonly Sequence[] }) =>
    JSON.stringify([
      tables.map(({ name, columns }) => JSON.stringify([name, columns.toSorted()])).toSorted(),
      sequences.map(({ name }) => name).toSorted(),
    ]);
  const ours = { tables: await readTables(trx), sequences: await readSequences(trx) };
  if (described(header) !== described(ours))
    throw new ArchiveError('it is damaged in its header: no build has these tables');
}

type Columns = Pick<Table, 'name' | 'columns'>;

async function loadTables(
  session: Session,
  { tables }: Header,
  lines: ArchiveLines,
  report: LoadOptions['report'],
): Promise<Totals> {
  const totals = { tables: {} as Record<string, number>, rows: 0 };
  for (const table of tables) {
    lines.goTo(`before table ${table.name}`);
    const announced = await lines.object(Announcement);
    if (announced.table !== table.name) throw lines.damaged(`table ${announced.table} follows instead`);
    lines.goTo(`in table ${table.name}`);
    const sha256 = await loadRows(session, table, lines);
    const end = await lines.object(End);
    if (end.end !== table.name || end.rows !== lines.rows || end.sha256 !== sha256)
      throw lines.damaged('its rows were changed');
    totals.tables[table.name] = end.rows;
    totals.rows += end.rows;
    report(`${table.name}: ${end.rows} rows`);
  }
  lines.goTo('after the last table');
  const sha256 = lines.sum();
  const end = await lines.object(End);
  if (end.end !== format || end.rows !== totals.rows || end.sha256 !== sha256)
    throw lines.damaged('tables were changed');
  await lines.end();
  return totals;
}

/** @returns the SHA-256 of the rows, in hexadecimal */
async function loadRows(session: Session, table: Header['tables'][number], lines: ArchiveLines) {
  const { table: into, columns } = copyTarget(table);
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const bytes of lines.tableRows()) {
      hash.update(bytes);
      yield bytes;
    }
  };
  try {
    await pipeline(hashed, session.client.query(from(`copy ${into} (${columns}) from stdin`)));
  } catch (error) {
    throw isRejectedValue(error) ? lines.damaged(`Postgres rejects a row (${codeOf(error)})`) : error;
  }
  return hash.digest('hex');
}

/** True if a value is wrong rather than the server. The message of Postgres is not used, because it quotes the value. */
function isRejectedValue(error: unknown): boolean {
  return /^(?:2[23]|42|P0)/.test(codeOf(error));
}
