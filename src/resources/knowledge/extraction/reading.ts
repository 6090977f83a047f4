import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Extracted, SourceFile } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import type { WorkerReply } from './worker.ts';
import { files } from './worker-file.ts';

export interface ThreadLimits {
  /** Milliseconds for one file, without the wait for a free thread. */
  readonly patience: number;
  /** MiB that a thread may hold. */
  readonly memory: number;
  /** Milliseconds after which a thread without work ends. */
  readonly idle: number;
}

/** Milliseconds between two checks of the thread's memory. */
const checkInterval = 50;
const megabyte = 1024 * 1024;
/** MiB of the thread's young generation. By default, it may grow to 32. */
const youngHeap = 4;
/** Bytes. After a larger file, the thread ends, because it keeps the memory that the file took. */
export const largeFile = 4 * megabyte;

/** Extracts one file after another. The thread starts with the first file and ends after a while without any. */
export class ExtractionThread {
  readonly #limits: ThreadLimits;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  /** Whether the thread runs, and so holds memory. */
  get isOpen(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Extracts one file; callers wait for it before they send the next. If this throws anything but a plain refusal of
   * the file, the next file gets a new thread.
   * @throws ExtractionFailure, the reason of `signal`, or the error that kept the thread from starting
   */
  async extract(file: SourceFile, signal: AbortSignal): Promise<Extracted> {
    clearTimeout(this.#idle);
    const isLarge = file.bytes.length > largeFile;
    const late = AbortSignal.timeout(this.#limits.patience);
    const settled = new AbortController();
    const greedy = new AbortController();
    this.#worker ??= this.#started();
    const worker = this.#worker;
    try {
      const stop = AbortSignal.any([signal, late, greedy.signal, settled.signal]);
      const watch = this.#watch(worker, greedy, stop);
      return extractedOf(await Promise.race([replyOf(worker, file, stop), watch]));
    } catch (error) {
      if (error instanceof ExtractionFailure && error.cause === undefined) throw error;
      await this.end();
      if (signal.aborted) throw signal.reason;
      if (late.aborted)
        throw new ExtractionFailure(
          `The document takes longer than ${this.#limits.patience / 1000} s to read. Split it into smaller ones.`,
        );
      if (greedy.signal.aborted || isOutOfMemory(error))
        throw new ExtractionFailure(
          `The document takes more than ${this.#limits.memory} MiB of memory to read. Split it into smaller ones.`,
        );
      throw error;
    } finally {
      settled.abort();
      this.#worker?.unref();
      if (isLarge) await this.end();
      else this.#idle = setTimeout(() => void this.end(), this.#limits.idle).unref();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #started(): Worker {
    const worker = newWorker(this.#limits);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  /** Aborts `greedy` if the thread holds too much: its resource limits bound the heap, but not external memory. */
  async #watch(worker: Worker, greedy: AbortController, signal: AbortSignal): Promise<never> {
    const check = async () => {
      const statistics = await worker.getHeapStatistics().catch(() => undefined);
      const held = (statistics?.used_heap_size ?? 0) + (statistics?.external_memory ?? 0);
      if (held > this.#limits.memory * megabyte) greedy.abort();
    };
    const checks = setInterval(() => void check(), checkInterval);
    const stopChecking = () => clearInterval(checks);
    signal.addEventListener('abort', stopChecking, { once: true });
    const [code] = (await once(worker, 'exit', { signal }).finally(stopChecking)) as [number];
    throw new Error(`the extraction thread ended with ${code}`);
  }
}

function newWorker({ memory }: ThreadLimits): Worker {
  // The thread gets no environment, because it needs none of the secrets there. Nothing reads what a library prints:
  // on stdout it would break JSON-RPC, and reading it would keep the process running.
  const worker = new Worker(new URL(files.worker, import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngHeap },
  });
  // The caller gets the error from `once`; without a listener here it would also end the server.
  worker.on('error', () => undefined);
  return worker;
}

async function replyOf(worker: Worker, file: SourceFile, signal: AbortSignal): Promise<WorkerReply> {
  const bytes = new Uint8Array(file.bytes);
  worker.ref();
  const replied = once(worker, 'message', { signal });
  worker.postMessage({ ...file, bytes }, [bytes.buffer]);
  const [reply] = (await replied) as [WorkerReply];
  return reply;
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
