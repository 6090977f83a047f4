import type { IndexingOutcome, IndexingTerms, IndexPart, SourceToIndex } from '../../store/indexing-queue.ts';
import { crawl } from './crawl/crawl.ts';
import type { CrawlParts } from './crawl/crawl-page.ts';
import { type FileParts, indexFile } from './index-file.ts';
import { LeaseLost, type Run } from './runs.ts';

/** What indexing works with. */
export interface IndexingParts extends CrawlParts, FileParts {
  /** Takes over the current run of a source; undefined if there is nothing to do. */
  readonly claim: (source: SourceToIndex) => Promise<Run | undefined>;
}

/** Indexes a part of a source, from where its run stands. */
export function indexing(parts: IndexingParts): IndexPart {
  return async (source, terms) => {
    const run = await parts.claim(source);
    if (!run) return { state: 'done' };
    try {
      return await indexRun(run, parts, terms);
    } catch (error) {
      // Another worker has taken the source over, or began a newer run. It has its own job.
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
