import { ExtractionThread } from './extraction/thread.ts';
import { ExtractionFailure } from './extraction-failure.ts';

/** A file, and what is known of it besides its bytes. */
export interface SourceFile {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  /** Where a page stands; an uploaded file stands nowhere. */
  readonly url?: string | undefined;
}

/** A passage of 200 to 400 tokens, or less where a section is shorter. */
export interface Chunk {
  /** The path of headings that it stands below: `Fares > Children`; empty where there are none. */
  readonly heading: string;
  readonly text: string;
  /** A text search configuration of Postgres: `english`, `german`, … or `simple`. */
  readonly language: string;
}

export interface Extracted {
  readonly title?: string | undefined;
  /** None of a page with `noindex`. */
  readonly chunks: Chunk[];
  /** Absolute web addresses without fragments, each once; those with `nofollow` left out. */
  readonly links: string[];
  readonly canonical?: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

export interface ExtractionLimits {
  /** How many files are read at once. */
  readonly threads: number;
  /** Milliseconds for a file; the wait before not counted. */
  readonly patience: number;
  /** MiB that a thread may hold. */
  readonly memory: number;
  /** Milliseconds after which a thread that has nothing to do ends. */
  readonly idle: number;
}

export interface Extractor {
  /**
   * The passages and links of a file; `signal` gives it up.
   * Throws ExtractionFailure for a file that cannot be read, or not within the limits.
   */
  extract(file: SourceFile, signal: AbortSignal): Promise<Extracted>;
  close(): Promise<void>;
}

const mostBytes = 32 * 1024 * 1024;
export const usual: ExtractionLimits = { threads: 2, patience: 20_000, memory: 384, idle: 30_000 };

/** Reads files in threads of their own: what a hostile one does to its thread, nobody else notices. */
export function openExtractor(limits: ExtractionLimits = usual): Extractor {
  const threads = Array.from({ length: limits.threads }, () => new ExtractionThread(limits));
  const free = [...threads];
  const waiting: (() => void)[] = [];
  const closed = new AbortController();

  const nextThread = async (): Promise<ExtractionThread> => {
    for (;;) {
      // One that is there already, before another one starts.
      const thread = free.find(({ isOpen }) => isOpen) ?? free[0];
      if (thread) {
        free.splice(free.indexOf(thread), 1);
        return thread;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return {
    async extract(file, signal) {
      if (file.bytes.length > mostBytes)
        throw new ExtractionFailure(`It has more than ${mostBytes / 1024 / 1024} MiB.`);
      const either = AbortSignal.any([signal, closed.signal]);
      const thread = await nextThread();
      try {
        either.throwIfAborted();
        return await thread.extract(file, either);
      } finally {
        free.push(thread);
        waiting.shift()?.();
      }
    },
    async close() {
      closed.abort(new Error('the extractor is closed'));
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}
