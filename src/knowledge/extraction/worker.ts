import { parentPort } from 'node:worker_threads';
import { ExtractionFailure } from '../extraction-failure.ts';
import type { Extracted, SourceFile } from '../extractor.ts';
import { extracted } from './document.ts';

/** What the thread answers. `stack` is there where a library failed; its words may quote the document. */
export type Answer =
  | { readonly extracted: Extracted }
  | { readonly failure: string; readonly stack?: string | undefined };

// Parsing takes up to seconds, and at bytes that are meant to harm more than there is.
parentPort?.on('message', (file: SourceFile) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void answerTo(file).then((answer) => parentPort?.postMessage(answer));
});

async function answerTo(file: SourceFile): Promise<Answer> {
  try {
    return { extracted: await extracted(file) };
  } catch (error) {
    if (error instanceof ExtractionFailure) return { failure: error.message };
    const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
    const failure =
      error instanceof RangeError
        ? 'It is nested too deeply, or too large.'
        : 'It is damaged and cannot be read.';
    return { failure, stack: `${name}${stack.slice(stack.indexOf('\n    at '))}` };
  }
}
