/** Module state: the process has one queue, because the uploads share its memory. */
let lastUpload: Promise<unknown> = Promise.resolve();

/**
 * Stores one uploaded file after another. Memory holds several copies of a file while it is sealed and stored, and the
 * statement occupies a connection for about a second.
 */
export function queueUpload<Result>(store: () => Promise<Result>): Promise<Result> {
  const result = lastUpload.then(store);
  lastUpload = result.catch(() => undefined);
  return result;
}
