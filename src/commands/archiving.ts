import { ArchiveError } from '../archive/archive-error.ts';
import { standard } from '../archive/file.ts';
import type { Totals } from '../archive/write.ts';
import type { Config } from '../config.ts';
import { NewerSchemaError } from '../db/migrate.ts';
import { MissingExtensionError } from '../db/missing-extension.ts';
import { openSession, type Session } from '../db/session.ts';
import { codeOf, isDatabaseUnable } from '../errors.ts';
import { secretKeyId } from '../vault/vault.ts';
import { CommandError } from './command.ts';
import { untilStopped } from './stop-signal.ts';

/** What Postgres and the way to it say when they cannot go on: down, full, cut, or waiting on a lock. */
const databaseUnable = /^(?:08|53|55P03|57|58|ECONN|EPIPE|ETIMEDOUT)/;
const diskFull = '53100';
/** And when they do not let us in: no such host, password or database. */
const databaseClosed = /^(?:ECONN|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08|28|3D|53|57)/;

/** One command over an archive, which a signal ends in the middle. */
export interface Archiving {
  readonly signal: AbortSignal;
  /** Opens a connection to the database as it is, without bringing its schema up to date. */
  readonly withSession: <Result>(
    config: Config,
    mode: 'read' | 'write',
    work: (session: Session) => Promise<Result>,
  ) => Promise<Result>;
  /** From here on a signal comes too late. */
  readonly finish: () => void;
}

/**
 * Runs a command over an archive; `task` says what it does ("export to FILE").
 * @throws CommandError, in one line, where it cannot be done or a signal came; nothing is written then
 */
export async function archiving<Result>(
  task: string,
  work: (archiving: Archiving) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  let [interrupted, finishing] = [false, false];
  const interrupt = () => {
    if (finishing) return;
    interrupted = true;
    controller.abort();
  };
  void untilStopped().then(interrupt);
  try {
    return await work({
      signal,
      withSession: (config, mode, inSession) => withSession(config, mode, signal, inSession),
      finish: () => {
        finishing = true;
      },
    });
  } catch (error) {
    if (interrupted) throw new CommandError(`cannot ${task}: interrupted, and nothing was written`);
    if (
      error instanceof ArchiveError ||
      error instanceof NewerSchemaError ||
      error instanceof MissingExtensionError
    )
      throw new CommandError(`cannot ${task}: ${error.message}`);
    const code = codeOf(error);
    const why = code === diskFull ? 'its disk is full, ' : '';
    // A statement that comes after the end of its connection fails without a code.
    if (databaseUnable.test(code) || isDatabaseUnable(error)) {
      const what = `${why}${code || 'connection_lost'}`;
      throw new CommandError(`cannot ${task}: the database gave up (${what}), and nothing was written`);
    }
    throw error;
  } finally {
    // Lets go of what is still open, such as standard input.
    controller.abort();
  }
}

async function withSession<Result>(
  { databaseUrl, home }: Config,
  mode: 'read' | 'write',
  signal: AbortSignal,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const embedded = databaseUrl === undefined ? await openEmbeddedPostgres(home) : undefined;
  try {
    signal.throwIfAborted();
    const session = await openSession(databaseUrl ?? embedded?.url ?? '', mode).catch((error: unknown) => {
      if (!databaseClosed.test(codeOf(error))) throw error;
      throw new ArchiveError(`the database that DATABASE_URL names cannot be used (${codeOf(error)})`);
    });
    const end = () => void session.end();
    signal.addEventListener('abort', end);
    try {
      return await work(session);
    } finally {
      signal.removeEventListener('abort', end);
      await session.end();
    }
  } finally {
    await embedded?.leave();
  }
}

async function openEmbeddedPostgres(home: string) {
  const { openEmbedded } = await import('../db/embedded.ts');
  return openEmbedded(home, say);
}

/** A line for the person, beside the archive that may go to stdout. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** What was done, on stdout unless the archive itself goes there. */
export function printTotals(
  done: string,
  { file, totals, asJson }: { file: string; totals: Totals; asJson: boolean },
  stream: NodeJS.WriteStream = process.stdout,
): void {
  const { tables, rows } = totals;
  const words = `${done}: ${rows} rows of ${Object.keys(tables).length} tables`;
  stream.write(`${asJson ? JSON.stringify({ file, rows, tables }) : words}\n`);
}

/** Where a command that writes to `file` says what it did. */
export function besides(file: string): NodeJS.WriteStream {
  return file === standard ? process.stderr : process.stdout;
}

/** How a message names FILE. */
export function nameOf(file: string, stream: 'stdin' | 'stdout'): string {
  return file === standard ? stream : file;
}

/** @throws ArchiveError where the rows need a secret key that is not among these */
export function requireSecretKeys(
  sealedWith: readonly string[],
  secrets: readonly string[],
  wayOut: string,
): void {
  const known = secrets.map(secretKeyId);
  const missing = sealedWith.filter((id) => !known.includes(id));
  if (missing.length > 0)
    throw new ArchiveError(
      `the rows hold values sealed with a secret key that is not configured here (${missing.join(', ')}): ${wayOut}`,
    );
}
