import type { Knex } from 'knex';
import type { SourceToIndex } from '../store/indexing-queue.ts';
import { claimRun, LeaseLost, type Run } from '../store/knowledge-runs.ts';
import { crawl } from './crawl.ts';
import type { Extractor } from './extractor.ts';
import { indexFile } from './file.ts';
import type { Wall } from './wall.ts';

/** The terms of a piece of work, as the queue states them. */
export interface Terms {
  readonly signal: AbortSignal;
  /** True when its time is up; asked after each page. */
  readonly isOver: () => boolean;
  /** True where there is no attempt after this one. */
  readonly isLast: boolean;
}

/** How far it has come; `later` asks for another attempt when the site has had time to recover. */
export type Outcome =
  | { readonly state: 'done' }
  | { readonly state: 'more' }
  | { readonly state: 'later'; readonly error: string }
  | { readonly state: 'failed'; readonly error: string };

/** What indexing works with. */
export interface IndexingParts {
  readonly knex: Knex;
  readonly wall: Wall;
  readonly extractor: Extractor;
  /** Opens the file of a source. */
  readonly open: (source: SourceToIndex, sealed: Buffer) => Buffer;
}

/** Indexes a part of a source, from where it stands; a run that began meanwhile is gone on with. */
export function indexing(parts: IndexingParts): (source: SourceToIndex, terms: Terms) => Promise<Outcome> {
  return async (source, terms) => {
    const run = await claimRun(parts.knex, source);
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

function indexRun(run: Run, parts: IndexingParts, terms: Terms): Promise<Outcome> {
  return run.origin.type === 'website'
    ? crawl(run, run.origin, parts, terms)
    : indexFile(run, run.origin, parts, terms.signal);
}
