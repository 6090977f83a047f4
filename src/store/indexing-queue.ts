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
