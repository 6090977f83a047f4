import { availableParallelism } from 'node:os';
import type { Threads } from '../../../platform/threads/threads.ts';
import { OneAtATime } from '../../../platform/turns.ts';
import type { Extracted, SourceFile } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { largeFile, type ReadingLimits, readIn } from './reading.ts';

export interface ExtractionLimits extends ReadingLimits {
  /** How many files are read at once. */
  readonly atOnce: number;
}

export interface Extractor {
  /**
   * Extracts the chunks and links of a file. If as many as are allowed are being read, the file waits.
   * @throws ExtractionFailure if the file cannot be read within the limits; the reason of `signal` if it is aborted
   */
  extract(file: SourceFile, signal: AbortSignal): Promise<Extracted>;
  /** Stops the extraction of all files. */
  close(): void;
}

const mostBytes = 32 * 1024 * 1024;

export const usualExtractionLimits: ExtractionLimits = {
  // A thread takes about 50 MiB. Two of them would leave no core of two to the server.
  atOnce: availableParallelism() > 2 ? 2 : 1,
  patience: 20_000,
  memory: 384,
};

/** Opens an extractor that reads files in worker threads, so that a hostile file harms only its own thread. */
export function openExtractor(threads: Threads, limits: ExtractionLimits = usualExtractionLimits): Extractor {
  let reading = 0;
  const waiting: (() => void)[] = [];
  const largeFiles = new OneAtATime();
  const closed = new AbortController();

  const inTurn = async (file: SourceFile, signal: AbortSignal): Promise<Extracted> => {
    // A file that ends hands its place to the next.
    if (reading < limits.atOnce) reading++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await threads.use(async (thread) => {
        signal.throwIfAborted();
        return readIn(thread, file, limits, signal);
      });
    } finally {
      const next = waiting.shift();
      if (next) next();
      else reading--;
    }
  };
  return {
    async extract(file, signal) {
      const { length } = file.bytes;
      if (length > mostBytes)
        throw new ExtractionFailure(`The file is larger than ${mostBytes / 1024 / 1024} MiB.`);
      const either = AbortSignal.any([signal, closed.signal]);
      // Two large ones could take twice the memory at once.
      if (length > largeFile) return largeFiles.run('', () => inTurn(file, either));
      return inTurn(file, either);
    },
    close() {
      closed.abort(new Error('the extractor is closed'));
    },
  };
}
