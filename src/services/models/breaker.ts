/** Opens after `failures` failures in a row `within` some milliseconds, and tries again after `closedAfter` milliseconds. */
export interface BreakerLimits {
  readonly failures: number;
  readonly within: number;
  readonly closedAfter: number;
}

export const usualBreaker: BreakerLimits = { failures: 5, within: 30_000, closedAfter: 5_000 };

/**
 * A circuit breaker: it opens after some failures in a row. It then lets one call at a time through, until one succeeds.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  readonly #now: () => number;
  /** The times of the last failures in a row, oldest first. */
  #failed: number[] = [];
  #opened: number | undefined;
  #trying = false;

  constructor(limits: BreakerLimits = usualBreaker, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Whether a call may start. If so, report its outcome with `succeeded`, `failed` or `abandoned`. */
  allows(): boolean {
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

  /** The caller left before the outcome was known. */
  abandoned(): void {
    this.#trying = false;
  }
}
