import type { Knex } from 'knex';
import { type Bindings, boundSql } from './statement.ts';
import { runTogether, type Transaction } from './transaction.ts';

/** Runs an SQL constant and returns its rows. `:name` in the text stands for a binding; `timeout` is in milliseconds. */
export async function runSql<Row>(
  knex: Knex,
  sql: string,
  bindings: Bindings = {},
  timeout?: number,
): Promise<Row[]> {
  const query = knex.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
  return (await (timeout === undefined ? query : query.timeout(timeout))).rows;
}

/** Runs an SQL constant; `:name` in the text stands for a binding. */
export type RunSql = (sql: string, bindings?: Bindings) => Promise<SqlResult>;

export interface SqlResult {
  readonly rows: unknown[];
  /** How many rows it returned or changed. */
  readonly rowCount: number | null;
}

/** Runs SQL constants on a pool or in a transaction of Knex. */
export function sqlOn(knex: Knex): RunSql {
  return async (sql, bindings = {}) => knex.raw<SqlResult>(sql, bindings as Knex.ValueDict);
}

/** An SQL constant with its bindings. */
export type SqlWithBindings = readonly [sql: string, bindings: Bindings];

/** Runs SQL constants one after another in one round trip. They are prepared. If one fails, none has changed anything. */
export type RunSqlTogether = (statements: readonly SqlWithBindings[]) => Promise<SqlResult[]>;

/** {@link RunSqlTogether} on a pool. */
export function sqlTogetherOn(knex: Knex): RunSqlTogether {
  return (statements) =>
    runTogether(
      knex,
      statements.map(([sql, bindings]) => boundSql(sql, bindings)),
    );
}

/** {@link RunSqlTogether} in a transaction. */
export function sqlTogetherIn(transaction: Transaction): RunSqlTogether {
  return (statements) =>
    Promise.all(statements.map(([sql, bindings]) => transaction.query(boundSql(sql, bindings))));
}

/** Runs SQL constants in a transaction, which prepares them. */
export function sqlIn(transaction: Transaction): RunSql {
  return (sql, bindings = {}) => transaction.query(boundSql(sql, bindings));
}

/** Runs an SQL constant that changes rows and returns how many. */
export async function countChanged(knex: Knex, sql: string, bindings: Bindings): Promise<number> {
  return (await knex.raw<{ rowCount: number }>(sql, bindings as Knex.ValueDict)).rowCount;
}
