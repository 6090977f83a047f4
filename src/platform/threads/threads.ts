import { Thread } from './thread.ts';

export interface ThreadsLimits {
  /** Milliseconds that work waits for a busy thread before it gets another one. */
  readonly patience: number;
  /** Milliseconds after which a thread without work ends. */
  readonly idle: number;
}

/** On a busy machine, a drawing or a file of 512 KiB takes a second. Only what takes longer costs another thread. */
export const usualThreadsLimits: ThreadsLimits = { patience: 2000, idle: 10_000 };

/**
 * The threads for work that would block the server. Usually one thread does everything, because each thread holds 40 MiB and
 * more. If one task takes long, another one gets a thread of its own. Callers bound how many tasks they do at once.
 */
export class Threads {
  readonly #limits: ThreadsLimits;
  readonly #open = new Set<Thread>();
  /** Those that wait for a busy thread, in the order of their turns. Undefined if there is none for them, after `close`. */
  readonly #waiting: ((thread: Thread | undefined) => void)[] = [];
  #isClosed = false;
  #busy = 0;
  #free: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: Partial<ThreadsLimits> = {}) {
    this.#limits = { ...usualThreadsLimits, ...limits };
  }

  /**
   * Does work in a thread that does nothing else at the time.
   * @throws Error if the threads are closed, also to work that waits
   */
  async use<Result>(work: (thread: Thread) => Promise<Result>): Promise<Result> {
    const thread = await this.#next();
    try {
      return await work(thread);
    } finally {
      await this.#release(thread);
    }
  }

  /** Ends all threads, those that work as well. No other starts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const take of this.#waiting.splice(0)) take(undefined);
    await Promise.all([...this.#open].map((thread) => thread.end()));
  }

  #next(): Thread | Promise<Thread> {
    if (this.#isClosed) throw closed();
    const free = this.#free;
    if (free) {
      clearTimeout(this.#idle);
      this.#free = undefined;
    }
    if (free || this.#busy === 0) {
      this.#busy++;
      return free?.isOpen ? free : this.#started();
    }
    const { promise, resolve, reject } = Promise.withResolvers<Thread>();
    const late = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(take), 1);
      this.#busy++;
      resolve(this.#started());
    }, this.#limits.patience);
    const take = (thread: Thread | undefined) => {
      clearTimeout(late);
      if (thread) resolve(thread);
      else reject(closed());
    };
    this.#waiting.push(take);
    return promise;
  }

  async #release(thread: Thread): Promise<void> {
    const next = this.#waiting.shift();
    if (next) {
      next(thread.isOpen ? thread : this.#started());
      return;
    }
    this.#busy--;
    if (this.#free?.isOpen) await thread.end();
    else if (thread.isOpen) {
      this.#free = thread;
      this.#idle = setTimeout(() => void thread.end(), this.#limits.idle).unref();
    }
  }

  #started(): Thread {
    const thread = new Thread(() => this.#open.delete(thread));
    this.#open.add(thread);
    return thread;
  }
}

function closed(): Error {
  return new Error('the threads are closed');
}
