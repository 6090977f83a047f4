import { randomBytes } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { getSystemErrorMessage } from 'node:util';
import { codeOf } from '../platform/errors.ts';
import { ArchiveError } from './archive-error.ts';

/** The FILE that stands for stdout or stdin. */
export const standard = '-';

/** Transforms bytes, such as encryption. */
export type Stage = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Consumes all bytes of an archive. */
export type Sink = (source: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Gives `work` a sink whose bytes become `file`, readable only for this user, after `work` has finished. If it throws, or
 * a signal ends the process, nothing is left behind.
 * @throws ArchiveError if the file exists and must not be replaced, or cannot be written
 */
export async function writeWhole<Result>(
  file: string,
  replace: boolean,
  work: (sink: Sink) => Promise<Result>,
): Promise<Result> {
  if (file === standard) return work(toStandardOutput);
  await requireFree(file, replace);
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const removePartial = () => rmSync(partial, { force: true });
  process.once('exit', removePartial);
  const handle = await orExplain(open(partial, 'wx', 0o600));
  try {
    const result = await work((source) => writeTo(handle, source));
    await orExplain(handle.sync());
    await requireFree(file, replace);
    await orExplain(rename(partial, file));
    return result;
  } finally {
    await handle.close();
    removePartial();
    process.off('exit', removePartial);
  }
}

/**
 * The bytes of `file`, or of standard input.
 * @throws ArchiveError while iterating, if they cannot be read
 */
export async function* readWhole(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  // Without the signal, an open standard input would keep the process alive.
  const stream = addAbortSignal(signal, file === standard ? process.stdin : createReadStream(file));
  const bytes = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orExplain(bytes.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

async function requireFree(file: string, replace: boolean): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw explain(error);
  });
  if (found && !found.isFile()) throw new ArchiveError('it exists and is not a file. Use another name.');
  if (found && !replace)
    throw new ArchiveError('it exists already. Use another name, or --force to replace it.');
}

async function writeTo(handle: FileHandle, source: AsyncIterable<Buffer>): Promise<void> {
  for await (const bytes of source) await orExplain(handle.writeFile(bytes));
}

async function toStandardOutput(source: AsyncIterable<Buffer>): Promise<void> {
  // The callback reports errors; without a listener, the event would end the process as well.
  process.stdout.on('error', () => undefined);
  for await (const bytes of source)
    await orExplain(
      new Promise<void>((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    );
}

function orExplain<Value>(step: Promise<Value>): Promise<Value> {
  return step.catch((error: unknown) => {
    throw explain(error);
  });
}

/** Turns an error of the system into its message, such as "no space left on device (ENOSPC)". */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return error;
  return new ArchiveError(`${getSystemErrorMessage(error.errno)} (${codeOf(error)})`, { cause: error });
}
