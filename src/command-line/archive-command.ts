import { ArchiveError } from '../archive/archive-error.ts';
import { standard } from '../archive/file.ts';
import type { Totals } from '../archive/write.ts';
import type { Config } from '../platform/config/config.ts';
import { codeOf, isDatabaseUnable } from '../platform/errors.ts';
import { secretKeyId } from '../platform/vault.ts';
import { UnknownSchemaError } from '../postgres/migrate.ts';
import { MissingExtensionError } from '../postgres/missing-extension.ts';
import { PoolerError } from '../postgres/pgbouncer.ts';
import { openSession, type Session } from '../postgres/session.ts';
import { CommandError } from './command.ts';
import { untilStopped } from './stop-signal.ts';

/** Codes of a connection that is lost: the database is down or full, or a lock took too long. */
const lostDatabase = /^(?:08|53|55P03|57|58|ECONN|EPIPE|ETIMEDOUT)/;
const diskFull = '53100';
/** Codes of a connection that cannot be opened: no such host, user, password or database. */
const rejectedConnection = /^(?:ECONN|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08|28|3D|53|57)/;

/** What `export`, `import`, `backup` and `restore` run with. */
export interface ArchiveCommand {
  /** Aborted by a signal to the process. */
  readonly signal: AbortSignal;
  /** Connects to the database without migrating it. */
  readonly withSession: <Result>(
    config: Config,
    mode: 'read' | 'write',
    work: (session: Session) => Promise<Result>,
  ) => Promise<Result>;
  /** Ignores signals from here on. */
  readonly finish: () => void;
}

/**
 * Runs a command that writes or reads an archive.
 * @param task completes "Cannot …": "export to FILE"
 * @throws CommandError if it cannot be done or a signal arrived. Nothing is written then.
 */
export async function runArchiveCommand<Result>(
  task: string,
  work: (command: ArchiveCommand) => Promise<Result>,
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
    if (interrupted) throw new CommandError(`Cannot ${task}: interrupted. Nothing was written.`);
    if (
      error instanceof ArchiveError ||
      error instanceof UnknownSchemaError ||
      error instanceof MissingExtensionError ||
      error instanceof PoolerError
    )
      throw new CommandError(`Cannot ${task}: ${error.message}`);
    const code = codeOf(error);
    // A statement on a connection that has ended fails without a code.
    if (lostDatabase.test(code) || isDatabaseUnable(error)) {
      const reason = `${code === diskFull ? 'its disk is full, ' : ''}${code || 'connection_lost'}`;
      throw new CommandError(`Cannot ${task}: the database failed (${reason}). Nothing was written.`);
    }
    throw error;
  } finally {
    // Releases what is still open, such as standard input.
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
      if (!rejectedConnection.test(codeOf(error))) throw error;
      throw new ArchiveError(
        `the database in DATABASE_URL cannot be used (${codeOf(error)}). Start it, or correct DATABASE_URL.`,
      );
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
  const { openEmbedded } = await import('../postgres/embedded/embedded.ts');
  return openEmbedded(home, reportProgress);
}

/** Writes a line to stderr, because the archive itself may go to stdout. */
export function reportProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes what was done to `stream`. */
export function printTotals(
  summary: string,
  { file, totals, asJson }: { file: string; totals: Totals; asJson: boolean },
  stream: NodeJS.WriteStream = process.stdout,
): void {
  const { tables, rows } = totals;
  const line = `${summary}: ${rows} rows of ${Object.keys(tables).length} tables`;
  stream.write(`${asJson ? JSON.stringify({ file, rows, tables }) : line}\n`);
}

/** The stream for the totals of a command that writes an archive to `file`. */
export function totalsStream(file: string): NodeJS.WriteStream {
  return file === standard ? process.stderr : process.stdout;
}

/** The name of FILE in messages. */
export function nameOf(file: string, stream: 'stdin' | 'stdout'): string {
  return file === standard ? stream : file;
}

/**
 * @param sealedWith the ids of the secret keys that encrypt values in the rows
 * @param remedy a sentence that ends the message
 * @throws ArchiveError if one of those keys is not in `secretKeys`
 */
export function requireSecretKeys(
  sealedWith: readonly string[],
  secretKeys: readonly string[],
  remedy: string,
): void {
  const known = secretKeys.map(secretKeyId);
  const missing = sealedWith.filter((id) => !known.includes(id));
  if (missing.length > 0)
    throw new ArchiveError(
      `the rows hold values that are encrypted with a secret key that is not configured here (${missing.join(', ')}). ${remedy}`,
    );
}
