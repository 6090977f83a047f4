import * as v from 'valibot';
import { ArchiveError } from './archive-error.ts';

/** The first line of an archive is JSON like every line that is no row; it says what follows. */
export const format = 'parley-export';
const version = 1;

const Text = v.string();
/** Of a table, a column, a migration: it may stand in a message, which is one line. */
export const Name = v.pipe(Text, v.regex(/^\P{C}{1,200}$/u));

/** What a backup holds besides the rows: the secret keys in use, and credentials.json where there is one. */
const Installation = v.object({
  secretKeys: v.tupleWithRest([Text], Text),
  credentials: v.nullable(Text),
});

const Header = v.object({
  format: v.literal(format),
  version: v.literal(version),
  parleyVersion: Name,
  exportedAt: Name,
  /** Names of the migrations that the schema had, in order. */
  migrations: v.array(Name),
  /** Ids of the secret keys that values in the rows are sealed with. */
  sealedWith: v.array(v.pipe(Text, v.hexadecimal())),
  /** In the order of the file, which is that of their references. */
  tables: v.array(v.object({ name: Name, columns: v.array(Name) })),
  /** The next value of each sequence, as a decimal. */
  sequences: v.array(v.object({ name: Name, next: v.pipe(Text, v.regex(/^-?\d+$/)) })),
  installation: v.optional(Installation),
});

export type Header = v.InferOutput<typeof Header>;
export type Installation = v.InferOutput<typeof Installation>;

/** The header of an archive that this build writes. */
export function newHeader(content: Omit<Header, 'format' | 'version' | 'exportedAt'>): Header {
  return { format, version, exportedAt: new Date().toISOString(), ...content };
}

/** @throws ArchiveError where the line is no header, or one that this build cannot read */
export function parseHeader(line: string): Header {
  const found = parseLine(v.object({ format: v.literal(format), version: v.number() }), line);
  if (!found) throw new ArchiveError('it is not an export of Parley');
  if (found.version > version)
    throw new ArchiveError(
      `it has format ${found.version}, and this build reads up to ${version}: start a newer Parley`,
    );
  const header = parseLine(Header, line);
  if (!header) throw new ArchiveError('it is damaged in its header');
  return header;
}

/** What a line holds, or undefined where it is not JSON or not of this shape. */
export function parseLine<Schema extends v.GenericSchema>(
  schema: Schema,
  line: string,
): v.InferOutput<Schema> | undefined {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(line));
    return success ? output : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
