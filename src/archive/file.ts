import { randomBytes } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { getSystemErrorMessage } from 'node:util';
import { codeOf } from '../errors.ts';
import { ArchiveError } from './archive-error.ts';

/** Stands for standard output, and for standard input. */
export const standard = '-';

/** Makes other bytes of bytes. */
export type Stage = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Takes all bytes of an archive. */
export type Sink = (source: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Hands `work` a sink whose bytes become `file`, for this user's eyes only, once `work` is done; whatever it
 * throws, and a signal that ends the process, leaves nothing behind.
 * @throws ArchiveError where the file is there and not to be replaced, or cannot be written
 */
export async function writeWhole<Result>(
  file: string,
  replace: boolean,
  work: (sink: Sink) => Promise<Result>,
): Promise<Result> {
  if (file === standard) return work(toStandardOutput);
  await requireFree(file, replace);
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const sweep = () => rmSync(partial, { force: true });
  process.once('exit', sweep);
  const handle = await orExplain(open(partial, 'wx', 0o600));
  try {
    const result = await work((source) => writeTo(handle, source));
    await orExplain(handle.sync());
    await requireFree(file, replace);
    await orExplain(rename(partial, file));
    return result;
  } finally {
    await handle.close();
    sweep();
    process.off('exit', sweep);
  }
}

/** The bytes of `file`, or of standard input. @throws ArchiveError, while they are read, where they cannot be */
export async function* readWhole(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  // Standard input that nobody closes would keep the process.
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
  if (found && !found.isFile()) throw new ArchiveError('it is there and no file');
  if (found && !replace)
    throw new ArchiveError('it is there already: name another one, or replace it with --force');
}

async function writeTo(handle: FileHandle, source: AsyncIterable<Buffer>): Promise<void> {
  for await (const bytes of source) await orExplain(handle.writeFile(bytes));
}

async function toStandardOutput(source: AsyncIterable<Buffer>): Promise<void> {
  // The callback tells of an error as well; without a listener the event would end the process.
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

/** What the system says of a file: "no space left on device (ENOSPC)". */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return error;
  return new ArchiveError(`${getSystemErrorMessage(error.errno)} (${codeOf(error)})`, { cause: error });
}
