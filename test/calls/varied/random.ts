/** Draws from a seed, so that a caller is the same on every machine (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<One>(list: readonly One[]): One {
    const one = list[Math.floor(this.next() * list.length)];
    if (one === undefined) throw new TypeError('nothing to pick from');
    return one;
  }

  shuffled<One>(list: readonly One[]): One[] {
    return list
      .map((one) => ({ one, at: this.next() }))
      .toSorted((left, right) => left.at - right.at)
      .map(({ one }) => one);
  }
}
