import { freeMemory } from '../../platform/free-memory.ts';

/** Module state: the process has one queue, because the uploads share its memory. */
let lastUpload: Promise<unknown> = Promise.resolve();

/** Returns a buffer whose memory is freed once the upload is stored or refused. */
type UseBuffer = (buffer: Buffer) => Buffer;

/**
 * Stores one uploaded file after another. Memory holds several copies of a file while it is sealed and stored, and the
 * statement occupies a connection for about a second.
 */
export function queueUpload<Result>(store: (use: UseBuffer) => Promise<Result>): Promise<Result> {
  const used = new Set<Buffer>();
  const use = (buffer: Buffer) => {
    used.add(buffer);
    return buffer;
  };
  const result = lastUpload.then(() => store(use)).finally(() => used.forEach(freeMemory));
  lastUpload = result.catch(() => undefined);
  return result;
}
