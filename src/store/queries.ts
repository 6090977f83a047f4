import createKnex, { type Knex } from 'knex';
import { bound } from '../postgres/prepared.ts';
import {
  type RunSql,
  type RunSqlTogether,
  sqlIn,
  sqlOn,
  sqlTogetherIn,
  sqlTogetherOn,
} from '../postgres/sql.ts';
import {
  type Bindings,
  knexReader,
  type PointReader,
  type Statement,
  type TableOn,
  tablesOn,
} from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { IndexingQueue } from './indexing-queue.ts';

/** What a store runs its SQL on: a pool or a transaction. */
export interface Queries {
  readonly knex: Knex;
  readonly table: TableOn;
  /** For hot point reads. */
  readonly point: PointReader;
  readonly sql: RunSql;
  /** For hot statements. */
  readonly together: RunSqlTogether;
  /** Undefined for reads, and where a worker finds by itself what to index. */
  readonly indexing?: IndexingQueue | undefined;
  /** The key that writes; undefined for reads, and on the command line. */
  readonly author?: string | undefined;
}

/** Queries on a pool or in a transaction of Knex. */
export function queriesOn(knex: Knex, point: PointReader = knexReader(knex)): Queries {
  return { knex, table: tablesOn(knex), point, sql: sqlOn(knex), together: sqlTogetherOn(knex) };
}

/** Queries in a transaction whose statements are prepared. */
export function queriesIn(
  transaction: Transaction,
  { indexing, author }: Required<Pick<Queries, 'indexing' | 'author'>>,
): Queries {
  return {
    get knex() {
      return transaction.knex;
    },
    table: transaction.table,
    point: {
      query: async <Result>(statement: Statement<Result>, values: readonly (string | Buffer)[]) =>
        (await transaction.query(bound(statement, values))).rows as Result[],
    },
    sql: sqlIn(transaction),
    together: sqlTogetherIn(transaction),
    indexing,
    author,
  };
}

/** The SQL `now()`, with the type that Knex expects for a timestamp column. */
export function now(): Date {
  return raw('now()') as unknown as Date;
}

const builder = createKnex({ client: 'pg' });

/** An SQL expression with named bindings, as the value of a column. */
export function raw(sql: string, bindings: Bindings = {}): Knex.Raw {
  return builder.raw(sql, bindings as Knex.ValueDict);
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
