import type { Knex } from 'knex';

export interface SourceToIndex {
  readonly projectId: string;
  readonly sourceId: string;
}

/** Queues indexing, in the transaction of the change that requires it. */
export interface IndexingQueue {
  add(knex: Knex, sources: readonly SourceToIndex[]): Promise<void>;
  /** Cancels the jobs of deleted sources, queued or running. */
  cancel(knex: Knex, sourceIds: readonly string[]): Promise<void>;
}

/** The conditions under which a part of a source is indexed. */
export interface IndexingTerms {
  /** Aborts if another worker has the job or the process stops. */
  readonly signal: AbortSignal;
  /** True once the time of this part is up; checked after each step whose result is stored. */
  readonly isOver: () => boolean;
  /** True if no further attempt follows. */
  readonly isLast: boolean;
}

/** The result of indexing a part; `later` requests another attempt after the site has had time to recover. */
export type IndexingOutcome =
  | { readonly state: 'done' }
  | { readonly state: 'more' }
  | { readonly state: 'later'; readonly error: string }
  | { readonly state: 'failed'; readonly error: string };

/** Indexes a part of a source, from where the last part ended. */
export type IndexPart = (source: SourceToIndex, terms: IndexingTerms) => Promise<IndexingOutcome>;
