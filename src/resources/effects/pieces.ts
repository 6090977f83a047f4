import type { Steps } from '../../calls/steps.ts';

/** Milliseconds. A piece of work that has taken as long is followed by a pause. */
const longestPiece = 10;

/** Divides the synchronous work of one call into pieces of some milliseconds, and waits for a turn before each of them. */
export class Pieces {
  readonly #turn: () => Promise<void>;
  #began = Number.NEGATIVE_INFINITY;

  constructor(turn: () => Promise<void>) {
    this.#turn = turn;
  }

  /** Waits for a turn if the last one was some milliseconds ago. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < longestPiece) return;
    await this.#turn();
    this.#began = performance.now();
  }

  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      await this.pause();
      const { done, value } = steps.next();
      if (done) return value;
    }
  }
}
