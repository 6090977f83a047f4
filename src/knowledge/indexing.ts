import type { IndexingOutcome, IndexingTerms, IndexPart, SourceToIndex } from '../store/indexing-queue.ts';
import { LeaseLost, type Run } from '../store/knowledge-runs.ts';
import { crawl } from './crawl.ts';
import type { Extractor } from './extractor.ts';
import { indexFile } from './file.ts';
import type { Wall } from './wall.ts';

/** What indexing works with. */
export interface IndexingParts {
  /** Takes a source over; undefined where there is nothing to do. */
  readonly claim: (source: SourceToIndex) => Promise<Run | undefined>;
  readonly wall: Wall;
  readonly extractor: Extractor;
  /** Opens the file of a source. */
  readonly open: (source: SourceToIndex, sealed: Buffer) => Buffer;
}

/** Indexes a part of a source, from where it stands; a run that began meanwhile is gone on with. */
export function indexing(parts: IndexingParts): IndexPart {
  return async (source, terms) => {
    const run = await parts.claim(source);
    if (!run) return { state: 'done' };
    try {
      return await indexRun(run, parts, terms);
    } catch (error) {
      // Whoever took it over, or began the run after it, has a job for it.
      if (error instanceof LeaseLost) return { state: 'done' };
      throw error;
    }
  };
}

function indexRun(run: Run, parts: IndexingParts, terms: IndexingTerms): Promise<IndexingOutcome> {
  return run.origin.type === 'website'
    ? crawl(run, run.origin, parts, terms)
    : indexFile(run, run.origin, parts, terms.signal);
}
