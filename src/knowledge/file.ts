import type { IndexingOutcome } from '../store/indexing-queue.ts';
import type { Run, RunOrigin } from '../store/knowledge-runs.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import type { Extracted } from './extractor.ts';
import type { IndexingParts } from './indexing.ts';

/** What is said of a source in which there is nothing to find. */
export const noText = 'There is no text in it.';

/** Indexes a file: one page without a url. */
export async function indexFile(
  run: Run,
  { fileName, mimeType }: Extract<RunOrigin, { type: 'file' }>,
  { extractor, open }: IndexingParts,
  signal: AbortSignal,
): Promise<IndexingOutcome> {
  const bytes = open(run, await run.sealedFile());
  let extracted: Extracted;
  try {
    extracted = await extractor.extract({ bytes, contentType: mimeType, fileName }, signal);
  } catch (error) {
    if (!(error instanceof ExtractionFailure)) throw error;
    await run.fail(error.message, { final: true });
    return { state: 'failed', error: error.message };
  }
  const { chunks, title } = extracted;
  if (chunks.length === 0) {
    await run.fail(noText, { final: true });
    return { state: 'failed', error: noText };
  }
  await run.settle([{ url: '', depth: 0, status: 'done', title, chunks }]);
  await run.complete();
  return { state: 'done' };
}
