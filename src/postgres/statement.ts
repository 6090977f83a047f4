import type { Knex } from 'knex';
import createKnex from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { BoundStatement, Build, Placeholder, Prepared, Row } from './prepared.ts';

/** A hot query, compiled once from a builder of Knex. */
export interface Statement<Result = Row> extends Prepared<Result> {
  readonly build: Build<Result>;
}

/** Runs hot queries. In pipeline mode, many callers share one write to the socket. */
export interface PointReader {
  query<Result>(statement: Statement<Result>, values: readonly (string | Buffer)[]): Promise<Result[]>;
}

const compiler = createKnex({ client: 'pg' });

/** Compiles a query. Building it for each call would cost more than the rest of a point read. */
export function statement<Result>(name: string, build: Build<Result>): Statement<Result> {
  const { sql, bindings } = build(compiler, (index) => `\0${index}` as Placeholder)
    .toSQL()
    .toNative();
  const order = bindings.map((binding) => Number((binding as string).slice(1)));
  return { name, text: sql, order, build };
}

const joins = new WeakMap<Statement<unknown>, Map<Statement<unknown>, Statement<unknown>>>();

/**
 * Joins two statements: each row of `first` with each row of `second`. If `second` has no row, `found` is null. The
 * values of `second` follow those of `first`. Their columns must not share a name.
 */
export function joined<First, Second>(
  first: Statement<First>,
  second: Statement<Second>,
): Statement<First & Second & { found: true | null }> {
  type Both = Statement<First & Second & { found: true | null }>;
  const withFirst = joins.get(first) ?? new Map<Statement<unknown>, Statement<unknown>>();
  joins.set(first, withFirst);
  const known = withFirst.get(second) as Both | undefined;
  if (known) return known;
  const text = second.text.replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + first.order.length}`);
  const valueCount = Math.max(...first.order) + 1;
  const both: Both = {
    name: `${first.name}+${second.name}`,
    text: `select * from (${first.text}) f left join (select true as found, s.* from (${text}) s) s on true`,
    order: [...first.order, ...second.order.map((index) => index + valueCount)],
    build: second.build as unknown as Both['build'],
  };
  withFirst.set(second, both);
  return both;
}

/** Runs hot queries on a pool or in a transaction of Knex. */
export function knexReader(knex: Knex): PointReader {
  return {
    query: async ({ build }, values) => build(knex, (index) => values[index] as Placeholder),
  };
}

/** Starts queries on the tables of a pool or of a transaction of Knex. */
export function tablesOn(knex: Knex) {
  return <Name extends keyof Tables>(name: Name) => knex(name);
}

/** Starts a query on a table. */
export type TableOn = ReturnType<typeof tablesOn>;

/** The values of an SQL constant, by name. */
export type Bindings = Readonly<Record<string, Knex.Value | readonly string[]>>;

/** An SQL constant with numbered placeholders, and the name of the binding for each of them. */
interface CompiledSql {
  readonly name: string | undefined;
  readonly text: string;
  readonly order: readonly string[];
}

const compiledSql = new Map<string, CompiledSql>();

/**
 * An SQL constant with its bindings, compiled on its first use: Knex takes 14 µs to replace nine names.
 * @throws if a binding is undefined or missing
 */
export function boundSql(sql: string, bindings: Bindings): BoundStatement {
  const { name, text, order } = compiledSql.get(sql) ?? compileSql(sql, Object.keys(bindings));
  const values = order.map((binding) => {
    const value = bindings[binding];
    if (value === undefined) throw new Error(`the binding "${binding}" is undefined`);
    return value;
  });
  return { name, text, values };
}

function compileSql(sql: string, names: readonly string[]): CompiledSql {
  const markers = Object.fromEntries(names.map((name) => [name, `\0${name}`]));
  const { sql: text, bindings } = compiler.raw(sql, markers).toSQL().toNative();
  const order = bindings.map((binding) => (binding as string).slice(1));
  const compiled = { name: statementName(text), text, order };
  if (compiledSql.size < mostStatements) compiledSql.set(sql, compiled);
  return compiled;
}

const statementNames = new Map<string, string>();
/** Each connection keeps a plan of each, which takes memory in Postgres. */
const mostStatements = 500;

/**
 * The name under which a connection prepares this text. Undefined for a text with `*`, because a migration by a newer
 * replica may change what it returns, which Postgres does not allow for a prepared statement; and for further texts
 * once there are 500, such as lists of many lengths.
 */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  if (statementNames.size >= mostStatements || /\*(?! ?\))/.test(text)) return undefined;
  const name = `statement_${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}
