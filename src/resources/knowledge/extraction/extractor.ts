import { availableParallelism } from 'node:os';
import { OneAtATime } from '../../../platform/turns.ts';
import type { Extracted, SourceFile } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { ExtractionThread, largeFile, type ThreadLimits } from './thread.ts';

export interface ExtractionLimits extends ThreadLimits {
  /** How many files are read at once. */
  readonly threads: number;
}

export interface Extractor {
  /**
   * Extracts the chunks and links of a file. If all threads are busy, the file waits for one.
   * @throws ExtractionFailure if the file cannot be read within the limits; the reason of `signal` if it is aborted
   */
  extract(file: SourceFile, signal: AbortSignal): Promise<Extracted>;
  close(): Promise<void>;
}

const mostBytes = 32 * 1024 * 1024;

export const usualExtractionLimits: ExtractionLimits = {
  // A thread takes about 50 MiB. Two of them would leave no core of two to the server.
  threads: availableParallelism() > 2 ? 2 : 1,
  patience: 20_000,
  memory: 384,
  idle: 10_000,
};

/** Opens an extractor that reads files in worker threads, so that a hostile file harms only its own thread. */
export function openExtractor(limits: ExtractionLimits = usualExtractionLimits): Extractor {
  const threads = Array.from({ length: limits.threads }, () => new ExtractionThread(limits));
  const free = [...threads];
  const waiting: (() => void)[] = [];
  const largeFiles = new OneAtATime();
  const closed = new AbortController();

  const nextThread = async (): Promise<ExtractionThread> => {
    for (;;) {
      // A thread that runs already saves the start of another one.
      const thread = free.find(({ isOpen }) => isOpen) ?? free[0];
      if (thread) {
        free.splice(free.indexOf(thread), 1);
        return thread;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const inThread = async (file: SourceFile, signal: AbortSignal): Promise<Extracted> => {
    const thread = await nextThread();
    try {
      signal.throwIfAborted();
      return await thread.extract(file, signal);
    } finally {
      free.push(thread);
      waiting.shift()?.();
    }
  };
  return {
    async extract(file, signal) {
      const { length } = file.bytes;
      if (length > mostBytes)
        throw new ExtractionFailure(`The file is larger than ${mostBytes / 1024 / 1024} MiB.`);
      const either = AbortSignal.any([signal, closed.signal]);
      // Two large ones could take twice the memory at once.
      if (length > largeFile) return largeFiles.run('', () => inThread(file, either));
      return inThread(file, either);
    },
    async close() {
      closed.abort(new Error('the extractor is closed'));
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}
