let last: Promise<unknown> = Promise.resolve();

/** One file after another: each is held several times over on its way, and takes a connection for a second. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}
