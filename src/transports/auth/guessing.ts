const allowedFailures = 20;
/** Milliseconds. */
const window = 60_000;
/** Milliseconds. */
const penalty = 1_000;
const maximumAddresses = 10_000;

interface Failures {
  count: number;
  since: number;
}

/**
 * Slows the guessing of keys: after 20 refused keys in a minute from one address, each further refusal takes a
 * second. An accepted key from that address is not slowed.
 */
export class GuessingThrottle {
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a refusal from an address. Returns the delay of the response in milliseconds. */
  refused(address: string): number {
    const now = this.#now();
    const known = this.#failures.get(address);
    const current = known && now - known.since < window ? known : { count: 0, since: now };
    current.count += 1;
    // Moves the address to the end: the one that was quiet longest is forgotten first.
    this.#failures.delete(address);
    this.#failures.set(address, current);
    if (this.#failures.size > maximumAddresses) {
      const [oldest] = this.#failures.keys();
      if (oldest !== undefined) this.#failures.delete(oldest);
    }
    return current.count > allowedFailures ? penalty : 0;
  }
}
