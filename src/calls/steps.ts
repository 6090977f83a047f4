/** Work in small steps: wherever it yields, something else may run. What it returns does not depend on that. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps at once. */
export function inOnePiece<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
