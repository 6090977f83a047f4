import type { Knex } from 'knex';
import createKnex from 'knex';
import pg from 'pg';
import { sessionConfig } from './pool.ts';

export type Row = Record<string, unknown>;
/** Builds a query with knex; `$(n)` stands for the n-th value. */
type Build = (knex: Knex, $: (index: number) => Knex.Value) => Knex.QueryBuilder;

/** A hot query, compiled once to the text of a named statement. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Which value stands for each placeholder of the text. */
  readonly order: readonly number[];
  readonly build: Build;
}

const compiler = createKnex({ client: 'pg' });

/** Compiles a query; building it anew for each call costs more than the rest of a point read. */
export function statement(name: string, build: Build): Statement {
  const { sql, bindings } = build(compiler, (index) => `\0${index}`)
    .toSQL()
    .toNative();
  const order = bindings.map((binding) => Number((binding as string).slice(1)));
  return { name, text: sql, order, build };
}

/** Runs hot queries; pipelined where it can, so that many callers share one write to the socket. */
export interface PointReader {
  query(statement: Statement, values: readonly (string | Buffer)[]): Promise<Row[]>;
}

/** The same statements inside a transaction. */
export function transactionReader(trx: Knex): PointReader {
  return {
    query: async ({ build }, values) => (await build(trx, (index) => values[index] ?? null)) as Row[],
  };
}

/** Milliseconds, beyond the server's own limit: a connection that died in silence answers nothing at all. */
const queryTimeout = 20_000;

/** What a lost connection looks like; a read is safe to send once more. */
const lost = /terminated unexpectedly|Connection terminated|not queryable|ECONNRESET|EPIPE/;
const lostStates = new Set(['57P01', '57P02', '08006', '08003']);

function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return lost.test(error.message) || ('code' in error && lostStates.has(String(error.code)));
}

/**
 * A read-only connection that many calls share, in pipeline mode: a statement is sent before the answer to
 * the one before has come. An error fails only its own statement. A lost connection is opened again by the
 * next call.
 */
export class PipelinedConnection implements PointReader {
  readonly #config: pg.ClientConfig;
  #client: pg.Client | undefined;
  #opening: Promise<pg.Client> | undefined;
  #corked = false;
  #closed = false;

  constructor(connectionString: string) {
    const session = sessionConfig(connectionString, 'read');
    this.#config = { ...session, pipeline: true, query_timeout: queryTimeout };
  }

  async query(statement: Statement, values: readonly (string | Buffer)[]): Promise<Row[]> {
    const config = {
      name: statement.name,
      text: statement.text,
      values: statement.order.map((index) => values[index]),
    };
    let client: pg.Client | undefined;
    try {
      client = this.#client ?? (await this.#open());
      return (await client.query<Row>(config)).rows;
    } catch (error) {
      if (this.#closed || !isLost(error)) throw error;
      // The server's last words fail the statement before the socket ends.
      if (client && this.#client === client) this.#client = undefined;
      return (await (await this.#open()).query<Row>(config)).rows;
    }
  }

  /**
   * Holds what is sent in this tick back, to go out in one write: two statements in one tick are two writes
   * otherwise. The stream is an internal of pg, so without it they go out one by one.
   */
  cork(): void {
    const stream = this.#client?.connection?.stream;
    if (this.#corked || !stream?.cork) return;
    this.#corked = true;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client ?? (await this.#opening?.catch(() => undefined));
    this.#client = undefined;
    await client?.end();
  }

  #open(): Promise<pg.Client> {
    if (this.#client) return Promise.resolve(this.#client);
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    const drop = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', drop);
    client.on('end', drop);
    await client.connect();
    this.#client = client;
    return client;
  }
}
