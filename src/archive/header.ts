import * as v from 'valibot';
import { ArchiveError } from './archive-error.ts';

/** Identifies an archive, in its first line. That line is JSON and describes the rest. */
export const format = 'parley-export';
const version = 1;

const Text = v.string();
/** The name of a table, column or migration. Without control characters, because messages quote it in one line. */
export const Name = v.pipe(Text, v.regex(/^\P{C}{1,200}$/u));

/** What a backup holds besides rows: the secret keys in use, and the text of credentials.json if it exists. */
const Installation = v.object({
  secretKeys: v.tupleWithRest([Text], Text),
  credentials: v.nullable(Text),
});

const Header = v.object({
  format: v.literal(format),
  version: v.literal(version),
  parleyVersion: Name,
  exportedAt: Name,
  /** The migrations that had been applied, in order. */
  migrations: v.array(Name),
  /** The ids of the secret keys that encrypt values in the rows. */
  sealedWith: v.array(v.pipe(Text, v.hexadecimal())),
  /** In the order of the file: a table follows those that it refers to. */
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

/** @throws ArchiveError if the line is not a header, or one of a newer format */
export function parseHeader(line: string): Header {
  const found = parseLine(v.object({ format: v.literal(format), version: v.number() }), line);
  if (!found) throw new ArchiveError('it is not an export of Parley');
  if (found.version > version)
    throw new ArchiveError(
      `it has format ${found.version}, and this build reads formats up to ${version}. Start a newer Parley.`,
    );
  const header = parseLine(Header, line);
  if (!header) throw new ArchiveError('it is damaged in its header');
  return header;
}

/** The content of a line; undefined if it is not JSON or does not match the schema. */
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
