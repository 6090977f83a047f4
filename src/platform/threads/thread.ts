import { once } from 'node:events';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Task } from './worker.ts';
import { files } from './worker-file.ts';

/** MiB of JavaScript heap. A thread that needs more ends; the server keeps running. */
const maximumHeap = 512;
/** MiB of its young generation. By default, that may grow to 100. */
const youngHeap = 4;

/** A worker thread that does one task after another until one of them fails or is aborted. */
export class Thread {
  readonly #worker: Worker;
  #isOpen = true;

  /** `onExit` runs when the thread has ended. */
  constructor(onExit: () => void) {
    // The thread gets no environment, because it needs none of the secrets there. Nothing reads what a library prints:
    // on stdout it would break JSON-RPC, and reading it would keep the process running.
    this.#worker = new Worker(new URL(files.worker, import.meta.url), {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maximumHeap, maxYoungGenerationSizeMb: youngHeap },
    });
    this.#worker.unref();
    // `run` reports the error; an `error` event without a listener would end the server.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#isOpen = false;
      onExit();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Does a task, and resolves with its output. Callers wait for that before the next task. If it rejects, the thread has
   * ended, because it may still be busy. An idle thread does not keep the process running.
   */
  async run<Output>(
    task: Task,
    signal: AbortSignal,
    transfer: readonly Transferable[] = [],
  ): Promise<Output> {
    const settled = new AbortController();
    const options = { signal: AbortSignal.any([signal, settled.signal]) };
    const ended = async () => {
      const [code] = (await once(this.#worker, 'exit', options)) as [number];
      throw new Error(`the thread ended with ${code}`);
    };
    this.#worker.ref();
    try {
      const reply = once(this.#worker, 'message', options);
      this.#worker.postMessage(task, transfer);
      const [output] = (await Promise.race([reply, ended()])) as [Output];
      return output;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      settled.abort();
      this.#worker.unref();
    }
  }

  /** Bytes in its heap, and outside it for objects in it; 0 if the thread has ended. */
  async held(): Promise<number> {
    const statistics = await this.#worker.getHeapStatistics().catch(() => undefined);
    return (statistics?.used_heap_size ?? 0) + (statistics?.external_memory ?? 0);
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    await this.#worker.terminate();
  }
}
