import { parentPort } from 'node:worker_threads';
import { ExtractionFailure } from '../extraction-failure.ts';
import type { Extracted, SourceFile } from '../extractor.ts';
import { extracted } from './document.ts';

/** What the thread answers. `stack` is there where a library failed; its words may quote the document. */
export type Answer =
  | { readonly extracted: Extracted }
  | { readonly failure: string; readonly stack?: string | undefined };

let isReading = false;

// Parsing takes up to seconds, and at bytes that are meant to harm more than there is.
parentPort?.on('message', (file: SourceFile) => {
  isReading = true;
  void answerTo(file).then(send);
});
// What a library leaves to fail by itself is as much an answer as what it throws.
process.on('uncaughtException', (error) => {
  if (isReading) send(failureOf(error));
  else process.exit(1);
});

function send(answer: Answer): void {
  if (!isReading) return;
  isReading = false;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer);
}

async function answerTo(file: SourceFile): Promise<Answer> {
  try {
    return { extracted: await extracted(file) };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): Answer {
  if (error instanceof ExtractionFailure) return { failure: error.message };
  const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
  const isTooMuch = error instanceof RangeError;
  const failure = isTooMuch ? 'It is nested too deeply, or too large.' : 'It is damaged and cannot be read.';
  return { failure, stack: `${name}${stack.slice(stack.indexOf('\n    at '))}` };
}
