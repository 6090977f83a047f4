import type { Knex } from 'knex';
import type { PointReader } from '../db/pipelined.ts';
import type { IndexingQueue } from './indexing-queue.ts';

/** What a store runs its SQL on: a pool or a transaction, and the reader for hot point reads. */
export interface Queries {
  readonly knex: Knex;
  readonly point: PointReader;
  /** Undefined for reads, and where a worker finds by itself what to index. */
  readonly indexing?: IndexingQueue | undefined;
}

/** The SQL `now()`, with the type that Knex expects for a timestamp column. */
export function now(knex: Knex): Date {
  return knex.fn.now() as unknown as Date;
}

/** A timestamp as records show it: ISO 8601, UTC, milliseconds, `Z`. */
export function timestamp(value: Date): string {
  return value.toISOString();
}

/** @throws if a statement that returns exactly one row returned none or several */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}

/** The members of a change that are set; a column whose value is undefined keeps its value. */
export function definedIn<Change extends object>(
  change: Change,
): { [Member in keyof Change]?: Exclude<Change[Member], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
}
