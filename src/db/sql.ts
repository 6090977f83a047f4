import type { Knex } from 'knex';

/** The values of an SQL constant, by name. */
export type Bindings = Readonly<Record<string, Knex.Value | readonly string[]>>;

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

/** Runs an SQL constant that changes rows and returns how many. */
export async function countChanged(knex: Knex, sql: string, bindings: Bindings): Promise<number> {
  return (await knex.raw<{ rowCount: number }>(sql, bindings as Knex.ValueDict)).rowCount;
}
