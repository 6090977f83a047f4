/** When a breaker opens, and when it tries again, in milliseconds. */
export interface BreakerLimits {
  readonly failures: number;
  readonly within: number;
  readonly closedAfter: number;
}

export const usualBreaker: BreakerLimits = { failures: 5, within: 30_000, closedAfter: 5_000 };

/**
 * Keeps calls from an upstream that fails: open after some failures in a row, then one call at a time is let through
 * until one succeeds.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  readonly #now: () => number;
  /** When each of the last failures in a row was, the oldest first. */
  #failed: number[] = [];
  #opened: number | undefined;
  #trying = false;

  constructor(limits: BreakerLimits = usualBreaker, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** True where a call may go out; its end has to be told by one of the others. */
  lets(): boolean {
    if (this.#opened === undefined) return true;
    if (this.#trying || this.#now() - this.#opened < this.#limits.closedAfter) return false;
    this.#trying = true;
    return true;
  }

  succeeded(): void {
    this.#trying = false;
    this.#opened = undefined;
    if (this.#failed.length > 0) this.#failed = [];
  }

  failed(): void {
    const { failures, within } = this.#limits;
    const now = this.#now();
    this.#failed = [...this.#failed, now].filter((at) => now - at <= within).slice(-failures);
    if (this.#trying || this.#failed.length >= failures) this.#opened = now;
    this.#trying = false;
  }

  /** The caller left before it was known how the call goes. */
  abandoned(): void {
    this.#trying = false;
  }
}
