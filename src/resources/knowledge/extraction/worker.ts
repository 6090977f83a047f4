import { extractDocument } from './document.ts';
import type { Extracted, SourceFile } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';

/**
 * What the thread sends for a file. `stack` is set if a library failed; it leaves out the library's message, which may
 * quote the document.
 */
export type WorkerReply =
  | { readonly extracted: Extracted }
  | { readonly failure: string; readonly stack?: string | undefined };

/** Extracts a file in a thread. */
export async function run(file: SourceFile): Promise<WorkerReply> {
  const failed = Promise.withResolvers<WorkerReply>();
  // A library may also fail in a callback of its own, after its call has returned.
  const fail = (error: unknown) => failed.resolve(failureOf(error));
  process.on('uncaughtException', fail);
  try {
    return await Promise.race([replyTo(file), failed.promise]);
  } finally {
    process.off('uncaughtException', fail);
  }
}

async function replyTo(file: SourceFile): Promise<WorkerReply> {
  try {
    return { extracted: await extractDocument(file) };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): WorkerReply {
  if (error instanceof ExtractionFailure) return { failure: error.message };
  const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
  const isTooMuch = error instanceof RangeError;
  const failure = isTooMuch
    ? 'The document is nested too deeply, or is too large.'
    : 'The document is damaged and cannot be read.';
  return { failure, stack: `${name}${stack.slice(stack.indexOf('\n    at '))}` };
}
