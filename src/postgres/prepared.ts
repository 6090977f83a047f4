import type { Knex } from 'knex';

export type Row = Record<string, unknown>;

/** Stands for a value of a query, of a text or a bytea column. */
export type Placeholder = string & Buffer;

/** Builds a query with Knex. `$(n)` stands for the n-th value, from 0. */
export type Build<Result> = (
  knex: Knex,
  $: (index: number) => Placeholder,
) => PromiseLike<Result[]> & Pick<Knex.QueryBuilder, 'toSQL'>;

/** A query as the text of a prepared statement. `Result` is the type of its rows. */
export interface Prepared<Result = Row> {
  readonly name: string;
  readonly text: string;
  /** The index of the value for each placeholder of the text. */
  readonly order: readonly number[];
  /** Undefined if the text was written by hand, so that it needs no Knex. */
  readonly build?: Build<Result>;
}

/** Runs prepared statements. */
export interface PreparedReader {
  query<Result>(prepared: Prepared<Result>, values: readonly (string | Buffer)[]): Promise<Result[]>;
}

/** A statement as a connection sends it. */
export interface BoundStatement {
  /** Undefined if it is not prepared: Postgres then parses and plans it with each call. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A statement with its values. */
export function bound<Result>(
  { name, text, order }: Prepared<Result>,
  values: readonly (string | Buffer)[],
): BoundStatement {
  return { name, text, values: order.map((index) => values[index]) };
}
