/** Milliseconds before the second attempt; each further one waits twice as long. */
const firstDelay = 500;
/** Milliseconds. */
const longestDelay = 15_000;

/** The waiting between attempts. */
export class Pause {
  readonly #controller = new AbortController();
  #end: () => void = () => undefined;

  /** Aborted once the work that pauses is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits before an attempt: for the time that the server asks for, else longer after each attempt, and never the same
   * time for all visitors. Ends early if the browser comes back online. Rejects if the work is cancelled.
   */
  wait(attempt: number, asked?: number): Promise<void> {
    const { signal } = this;
    const longest = Math.min(firstDelay * 2 ** attempt, longestDelay);
    const delay = asked ?? longest * (0.5 + Math.random() / 2);
    return new Promise((resolve, reject) => {
      const settled = new AbortController();
      const end = () => {
        clearTimeout(timer);
        settled.abort();
        resolve();
      };
      const timer = setTimeout(end, delay);
      this.#end = end;
      addEventListener('online', end, { signal: settled.signal });
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          settled.abort();
          reject(signal.reason as Error);
        },
        { signal: settled.signal },
      );
    });
  }

  /** Ends the current wait. */
  end(): void {
    this.#end();
  }

  /** Ends the work itself. */
  cancel(): void {
    this.#controller.abort();
  }
}
