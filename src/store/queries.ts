import type { Knex } from 'knex';
import type { PointReader } from '../db/pipelined.ts';
import type { IndexingQueue } from './indexing-queue.ts';

/** What a store runs its SQL on: a pool or a transaction, and the way for hot point reads. */
export interface Queries {
  readonly knex: Knex;
  readonly point: PointReader;
  /** Undefined where nothing is changed, or a worker finds by itself what is to be indexed. */
  readonly indexing?: IndexingQueue | undefined;
}

/** The SQL `now()`, as knex wants it typed for a timestamp column. */
export function now(knex: Knex): Date {
  return knex.fn.now() as unknown as Date;
}

/** A timestamp as it travels: ISO 8601, UTC, milliseconds, `Z`. */
export function timestamp(value: unknown): string {
  return (value as Date).toISOString();
}

/** The one row of a statement that answers exactly one. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
