import type { Knex } from 'knex';

/** A source that is to be indexed. */
export interface SourceToIndex {
  readonly projectId: string;
  readonly sourceId: string;
}

/** Where indexing is queued, in the transaction of the change that it follows from. */
export interface IndexingQueue {
  add(knex: Knex, sources: readonly SourceToIndex[]): Promise<void>;
  /** Takes back what is queued or under way for sources that are gone. */
  cancel(knex: Knex, sourceIds: readonly string[]): Promise<void>;
}

/** On what terms a part of a source is indexed. */
export interface IndexingTerms {
  /** Ends it at once: the job is another's, or the process stops. */
  readonly signal: AbortSignal;
  /** True when its time is up; asked whenever something is done that need not be done again. */
  readonly isOver: () => boolean;
  /** True where there is no attempt after this one. */
  readonly isLast: boolean;
}

/** How far it has come; `later` asks for another attempt when the site has had time to recover. */
export type IndexingOutcome =
  | { readonly state: 'done' }
  | { readonly state: 'more' }
  | { readonly state: 'later'; readonly error: string }
  | { readonly state: 'failed'; readonly error: string };

/** Indexes a part of a source, from where it stands. */
export type IndexPart = (source: SourceToIndex, terms: IndexingTerms) => Promise<IndexingOutcome>;
