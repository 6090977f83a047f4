const allowedFailures = 20;
const window = 60_000;
const penalty = 1_000;
const maximumAddresses = 10_000;

interface Failures {
  count: number;
  since: number;
}

/**
 * Slows the guessing of keys: after twenty refused ones in a minute from one address, its further refusals take
 * a second. A good key from there is not slowed, since only refusals are asked about.
 */
export class GuessingThrottle {
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a refusal from an address; answers how long, in milliseconds, it has to take. */
  refused(address: string): number {
    const now = this.#now();
    const known = this.#failures.get(address);
    const current = known && now - known.since < window ? known : { count: 0, since: now };
    current.count += 1;
    // Set anew, it stands last: what is forgotten first is the address that was quiet longest.
    this.#failures.delete(address);
    this.#failures.set(address, current);
    if (this.#failures.size > maximumAddresses) {
      const [oldest] = this.#failures.keys();
      if (oldest !== undefined) this.#failures.delete(oldest);
    }
    return current.count > allowedFailures ? penalty : 0;
  }
}
