import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ExtractionFailure } from '../extraction-failure.ts';
import type { Extracted, ExtractionLimits, SourceFile } from '../extractor.ts';
import { files } from './files.ts';
import type { Answer } from './worker.ts';

/** Milliseconds between two looks at what the thread holds. */
const lookEvery = 50;
const megabyte = 1024 * 1024;

/** A thread that extracts one file after another. It starts with the first, and ends when none comes for a while. */
export class ExtractionThread {
  readonly #limits: ExtractionLimits;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: ExtractionLimits) {
    this.#limits = limits;
  }

  /** Whether a thread is there, and costs memory. */
  get isOpen(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * One file at a time. Throws ExtractionFailure, the reason of `signal`, or what keeps a thread from starting; after all
   * but a refusal the next file has a new thread.
   */
  async extract(file: SourceFile, signal: AbortSignal): Promise<Extracted> {
    clearTimeout(this.#idle);
    const late = AbortSignal.timeout(this.#limits.patience);
    const settled = new AbortController();
    const greedy = new AbortController();
    this.#worker ??= this.#started();
    const worker = this.#worker;
    try {
      const stop = AbortSignal.any([signal, late, greedy.signal, settled.signal]);
      const watch = this.#watch(worker, greedy, stop);
      return extractedOf(await Promise.race([answerOf(worker, file, stop), watch]));
    } catch (error) {
      if (error instanceof ExtractionFailure && error.cause === undefined) throw error;
      await this.end();
      if (signal.aborted) throw signal.reason;
      if (late.aborted) throw new ExtractionFailure('It takes too long to read.');
      if (greedy.signal.aborted || isOutOfMemory(error))
        throw new ExtractionFailure('It takes too much memory to read.');
      throw error;
    } finally {
      settled.abort();
      this.#worker?.unref();
      this.#idle = setTimeout(() => void this.end(), this.#limits.idle).unref();
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

  /** Aborts where the thread holds too much; its heap alone has a bound of its own, what it holds beside has none. */
  async #watch(worker: Worker, greedy: AbortController, signal: AbortSignal): Promise<never> {
    const look = async () => {
      const statistics = await worker.getHeapStatistics().catch(() => undefined);
      const held = (statistics?.used_heap_size ?? 0) + (statistics?.external_memory ?? 0);
      if (held > this.#limits.memory * megabyte) greedy.abort();
    };
    const looks = setInterval(() => void look(), lookEvery);
    const stopLooking = () => clearInterval(looks);
    signal.addEventListener('abort', stopLooking, { once: true });
    const [code] = (await once(worker, 'exit', { signal }).finally(stopLooking)) as [number];
    throw new Error(`the extraction thread ended with ${code}`);
  }
}

function newWorker({ memory }: ExtractionLimits): Worker {
  // Nothing of the environment, since it needs none of the secrets there. What a library writes is read by nobody:
  // on stdout it would break JSON-RPC, and reading it would keep the program running.
  const worker = new Worker(new URL(files.worker, import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  // Who asked hears of it; an error that nobody listens for would end the server.
  worker.on('error', () => undefined);
  return worker;
}

async function answerOf(worker: Worker, file: SourceFile, signal: AbortSignal): Promise<Answer> {
  const bytes = new Uint8Array(file.bytes);
  worker.ref();
  const answered = once(worker, 'message', { signal });
  worker.postMessage({ ...file, bytes }, [bytes.buffer]);
  const [answer] = (await answered) as [Answer];
  return answer;
}

function extractedOf(answer: Answer): Extracted {
  if ('extracted' in answer) return answer.extracted;
  if (answer.stack === undefined) throw new ExtractionFailure(answer.failure);
  const cause = new Error('a library failed');
  cause.stack = answer.stack;
  throw new ExtractionFailure(answer.failure, { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
