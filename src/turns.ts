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
