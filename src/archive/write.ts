import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { to } from 'pg-copy-streams';
import { appliedMigrations, holdSchema } from '../db/migrate.ts';
import type { Session } from '../db/session.ts';
import { ArchiveError } from './archive-error.ts';
import type { Sink } from './file.ts';
import { type Header, type Installation, newHeader } from './header.ts';
import { copyTarget, readSealedWith, readSequences, readTables, type Table } from './tables.ts';

/** How many rows an archive holds, and of what. */
export interface Totals {
  readonly tables: Readonly<Record<string, number>>;
  readonly rows: number;
}

export interface ArchiveOptions {
  readonly parleyVersion: string;
  /** What a backup adds; an export holds no secret. */
  readonly installation?: Installation;
  /** Called before anything is written, with the ids of the secret keys that the rows need. */
  readonly checkKeys?: (sealedWith: readonly string[]) => void;
  /** Takes the compressed bytes. */
  readonly sink: Sink;
  readonly say: (line: string) => void;
}

/** Every session writes its values alike, whatever the server's settings: exact, and readable by any other. */
const settings = `
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3;
  set local bytea_output = 'hex'; set local row_security = off`;

/** The last line of a table's rows, as COPY has it; no row can look like it. */
export const endOfRows = '\\.\n';

/** A quarter faster than zlib's default here, for 3 % more bytes. */
const compressionLevel = 1;

/**
 * Writes every row of every tenant, as of one moment, while others go on reading and writing.
 * @throws ArchiveError where there is no schema, and whatever the sink or the database throws
 */
export async function writeArchive(session: Session, options: ArchiveOptions): Promise<Totals> {
  await holdSchema(session.client, 'shared');
  return session.transaction(
    async (trx) => {
      await trx.raw(settings);
      const migrations = await appliedMigrations(trx);
      if (migrations.length === 0) throw new ArchiveError('there is nothing: the database has no schema');
      const tables = await readTables(trx);
      const sealedWith = await readSealedWith(trx, tables);
      options.checkKeys?.(sealedWith);
      const header = newHeader({
        parleyVersion: options.parleyVersion,
        migrations,
        sealedWith,
        tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
        sequences: await readSequences(trx),
        ...(options.installation && { installation: options.installation }),
      });
      const totals = { tables: {} as Record<string, number>, rows: 0 };
      try {
        const gzip = createGzip({ level: compressionLevel });
        const lines = archiveLines({ session, header, tables, totals, say: options.say });
        await pipeline(lines, gzip, options.sink);
      } catch (error) {
        // A COPY that nobody reads to its end holds up the connection for good.
        await session.end();
        throw error;
      }
      return totals;
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

interface Lines {
  readonly session: Session;
  readonly header: Header;
  readonly tables: readonly Table[];
  /** Counted while they are written. */
  readonly totals: { tables: Record<string, number>; rows: number };
  readonly say: (line: string) => void;
}

async function* archiveLines({ session, header, tables, totals, say }: Lines): AsyncGenerator<Buffer> {
  // Over every line that is no row: since each table's last line holds its rows' sum, this one covers the whole.
  const whole = createHash('sha256');
  const line = (content: object) => {
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
    whole.update(bytes);
    return bytes;
  };
  yield line(header);
  for (const table of tables) {
    yield line({ table: table.name });
    const hash = createHash('sha256');
    let rows = 0;
    const { table: from, columns } = copyTarget(table);
    for await (const chunk of session.client.query(to(`copy (select ${columns} from ${from}) to stdout`))) {
      const bytes = chunk as Buffer;
      hash.update(bytes);
      rows += countLines(bytes);
      yield bytes;
    }
    yield Buffer.from(endOfRows);
    yield line({ end: table.name, rows, sha256: hash.digest('hex') });
    totals.tables[table.name] = rows;
    totals.rows += rows;
    say(`${table.name}: ${rows} rows`);
  }
  const sha256 = whole.digest('hex');
  yield Buffer.from(`${JSON.stringify({ end: header.format, rows: totals.rows, sha256 })}\n`);
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
