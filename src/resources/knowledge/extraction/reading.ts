import type { Thread } from '../../../platform/threads/thread.ts';
import type { Extracted, SourceFile } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import type { WorkerReply } from './worker.ts';
import { files } from './worker-file.ts';

export interface ReadingLimits {
  /** Milliseconds for one file, without the wait for a free thread. */
  readonly patience: number;
  /** MiB that a thread may hold. */
  readonly memory: number;
}

/** Milliseconds between two checks of the thread's memory. */
const checkInterval = 50;
const megabyte = 1024 * 1024;
/** Bytes. After a larger file, the thread ends, because it keeps the memory that the file took. */
export const largeFile = 4 * megabyte;

/**
 * Extracts one file in a thread. If this throws anything but a plain refusal of the file, the thread has ended.
 * @throws ExtractionFailure, the reason of `signal`, or the error that kept the thread from starting
 */
export async function readIn(
  thread: Thread,
  file: SourceFile,
  { patience, memory }: ReadingLimits,
  signal: AbortSignal,
): Promise<Extracted> {
  const late = AbortSignal.timeout(patience);
  const greedy = new AbortController();
  // Resource limits bound the heap of a thread, but not its external memory.
  const check = async () => {
    if ((await thread.held()) > memory * megabyte) greedy.abort();
  };
  const checks = setInterval(() => void check(), checkInterval);
  const bytes = new Uint8Array(file.bytes);
  const task = { module: new URL(files.worker, import.meta.url).href, input: { ...file, bytes } };
  try {
    const stop = AbortSignal.any([signal, late, greedy.signal]);
    return extractedOf(await thread.run<WorkerReply>(task, stop, [bytes.buffer]));
  } catch (error) {
    if (error instanceof ExtractionFailure && error.cause === undefined) throw error;
    await thread.end();
    if (signal.aborted) throw signal.reason;
    if (late.aborted)
      throw new ExtractionFailure(
        `The document takes longer than ${patience / 1000} s to read. Split it into smaller ones.`,
      );
    if (greedy.signal.aborted || isOutOfMemory(error))
      throw new ExtractionFailure(
        `The document takes more than ${memory} MiB of memory to read. Split it into smaller ones.`,
      );
    throw error;
  } finally {
    clearInterval(checks);
    if (file.bytes.length > largeFile) await thread.end();
  }
}

function extractedOf(reply: WorkerReply): Extracted {
  if ('extracted' in reply) return reply.extracted;
  if (reply.stack === undefined) throw new ExtractionFailure(reply.failure);
  const cause = new Error('a library failed');
  cause.stack = reply.stack;
  throw new ExtractionFailure(reply.failure, { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
