import { setImmediate, setTimeout } from 'node:timers/promises';

/** Runs one piece of work at a time. Owners with work to do take turns, however much each of them has. */
export class Turns {
  readonly #works = new Map<string, (() => Promise<void>)[]>();
  /** The owners with work to do, in the order of their turns, without the one whose turn it is. */
  readonly #owners = new Set<string>();
  #current: string | undefined;

  /** How much work an owner has, the piece in progress included. */
  pending(owner: string): number {
    return (this.#works.get(owner)?.length ?? 0) + (owner === this.#current ? 1 : 0);
  }

  /** Runs work in a turn of its owner. */
  take<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const works = this.#works.get(owner) ?? [];
    this.#works.set(owner, works);
    works.push(() => work().then(resolve, reject));
    if (owner !== this.#current) this.#owners.add(owner);
    if (this.#current === undefined) void this.#next();
    return promise;
  }

  async #next(): Promise<void> {
    for (const owner of this.#owners) {
      this.#owners.delete(owner);
      this.#current = owner;
      const works = this.#works.get(owner) ?? [];
      await works.shift()?.();
      this.#current = undefined;
      // Iterating a set also visits what is added during the iteration.
      if (works.length > 0) this.#owners.add(owner);
      else this.#works.delete(owner);
    }
  }
}

/** Milliseconds. A piece of work that takes longer is followed by a rest. */
const longPiece = 20;
/** Milliseconds. */
const longestRest = 100;

/**
 * Spreads large pieces of synchronous work over the iterations of the event loop, so that it alternates with everything
 * else. One piece begins in each iteration, and owners take turns. A long piece is followed by a rest as long as it took:
 * a small call awaits Postgres two or three times, and would otherwise meet a long piece each time.
 */
export class EventLoopTurns {
  readonly #turns = new Turns();

  /** Resolves when the owner may do one piece of work, without waiting for anything in between. */
  take(owner: string): Promise<void> {
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    void this.#turns.take(owner, async () => {
      const began = performance.now();
      begin();
      // The piece has run when the immediates run.
      await setImmediate();
      const took = performance.now() - began;
      if (took > longPiece) await setTimeout(Math.min(took, longestRest));
    });
    return promise;
  }
}

/** Runs the work of an owner one piece after another, and that of several owners at once. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(owner);
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    this.#last.set(owner, done);
    try {
      await before;
      return await work();
    } finally {
      leave();
      if (this.#last.get(owner) === done) this.#last.delete(owner);
    }
  }
}
