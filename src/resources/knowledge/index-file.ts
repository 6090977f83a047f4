import { freeMemory } from '../../platform/free-memory.ts';
import type { IndexingOutcome } from '../../store/indexing-queue.ts';
import type { SealedPiece } from '../../store/sealed-file.ts';
import type { Extracted } from './extraction/extracted.ts';
import { ExtractionFailure, noText } from './extraction/extraction-failure.ts';
import type { Extractor } from './extraction/extractor.ts';
import type { Run, RunOrigin } from './runs.ts';

export interface FileParts {
  readonly extractor: Extractor;
  /** Decrypts the stored file of a source. */
  readonly open: (
    source: { readonly projectId: string; readonly sourceId: string },
    sealed: AsyncIterable<SealedPiece>,
  ) => Promise<Buffer>;
}

/** Indexes a file: one page without a URL. */
export async function indexFile(
  run: Run,
  { fileName, mimeType }: Extract<RunOrigin, { type: 'file' }>,
  { extractor, open }: FileParts,
  signal: AbortSignal,
): Promise<IndexingOutcome> {
  const bytes = await open(run, run.sealedFile());
  let extracted: Extracted;
  try {
    extracted = await extractor.extract({ bytes, contentType: mimeType, fileName }, signal);
  } catch (error) {
    if (!(error instanceof ExtractionFailure)) throw error;
    return await failed(run, error.message);
  } finally {
    freeMemory(bytes);
  }
  const { chunks, title } = extracted;
  if (chunks.length === 0) return failed(run, noText);
  await run.settle([{ url: '', depth: 0, status: 'done', title, chunks }]);
  await run.complete();
  return { state: 'done' };
}

async function failed(run: Run, error: string): Promise<IndexingOutcome> {
  await run.fail(error, { final: true });
  return { state: 'failed', error };
}
