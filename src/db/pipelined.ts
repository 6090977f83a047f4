import type { Writable } from 'node:stream';
import type { Knex } from 'knex';
import createKnex from 'knex';
import pg from 'pg';
import type { Address } from './address.ts';
import { sessionConfig } from './pool.ts';

export type Row = Record<string, unknown>;
/** Stands for a value of a query, of a text or a bytea column. */
type Placeholder = string & Buffer;
/** Builds a query with knex. `$(n)` stands for the n-th value, from 0. */
type Build<Result> = (
  knex: Knex,
  $: (index: number) => Placeholder,
) => PromiseLike<Result[]> & Pick<Knex.QueryBuilder, 'toSQL'>;

/** A hot query, compiled once to the text of a prepared statement. `Result` is the type of its rows. */
export interface Statement<Result = Row> {
  readonly name: string;
  readonly text: string;
  /** The index of the value for each placeholder of the text. */
  readonly order: readonly number[];
  readonly build: Build<Result>;
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
  const statement: Both = {
    name: `${first.name}+${second.name}`,
    text: `select * from (${first.text}) f left join (select true as found, s.* from (${text}) s) s on true`,
    order: [...first.order, ...second.order.map((index) => index + valueCount)],
    build: second.build as unknown as Both['build'],
  };
  withFirst.set(second, statement);
  return statement;
}

/** Runs hot queries, pipelined if possible, so that many callers share one write to the socket. */
export interface PointReader {
  query<Result>(statement: Statement<Result>, values: readonly (string | Buffer)[]): Promise<Result[]>;
}

/** Runs the same statements inside a transaction. */
export function transactionReader(trx: Knex): PointReader {
  return {
    query: async ({ build }, values) => build(trx, (index) => values[index] as Placeholder),
  };
}

/** A statement that waits for its result. */
interface Sent {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly reject: (error: Error) => void;
}

/** Milliseconds. Above the server's own limit, for connections that die without an error. */
const defaultQueryTimeout = 20_000;
const timeoutInterval = 1_000;

/** Messages of lost connections. A read can safely be sent again. */
const connectionErrors = /terminated unexpectedly|Connection terminated|not queryable|ECONNRESET|EPIPE/;
const connectionErrorCodes = new Set(['57P01', '57P02', '08006', '08003']);

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    connectionErrors.test(error.message) || ('code' in error && connectionErrorCodes.has(String(error.code)))
  );
}

/**
 * A read-only connection that many calls share in pipeline mode: it sends a statement before the result of the previous
 * one arrives. An error fails only its own statement. After the connection is lost, the next call opens it again.
 */
export class PipelinedConnection implements PointReader {
  readonly #address: Address;
  readonly #queryTimeout: number;
  #client: pg.Client | undefined;
  #opening: Promise<pg.Client> | undefined;
  /** The corked socket of this turn of the event loop. */
  #held: Writable | undefined;
  /** The number of statements in this turn of the event loop, and in the last turn that had any. */
  #inTurn = 0;
  #inLastTurn = 0;
  #closed = false;
  /** In the order of their results. */
  readonly #sent: Sent[] = [];
  #watch: NodeJS.Timeout | undefined;

  constructor(address: Address, queryTimeout = defaultQueryTimeout) {
    this.#address = address;
    this.#queryTimeout = queryTimeout;
  }

  async query<Result>(statement: Statement<Result>, values: readonly (string | Buffer)[]): Promise<Result[]> {
    let client: pg.Client | undefined;
    try {
      client = this.#client ?? (await this.#open());
      return await this.#send(client, statement, values);
    } catch (error) {
      if (this.#closed || !isConnectionError(error)) throw error;
      // The server's last error fails the statement before the socket ends.
      if (client && this.#client === client) this.#client = undefined;
      return this.#run(await this.#open(), statement, values);
    }
  }

  /** Passes a Query object, because pg clones a plain configuration, descriptor by descriptor. */
  #run<Result>(
    client: pg.Client,
    { name, text, order }: Statement<Result>,
    values: readonly (string | Buffer)[],
  ): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      const sent: Sent = { at: performance.now(), reject };
      const query = new pg.Query<Row>(
        text,
        order.map((index) => values[index]),
        (error, result) => {
          this.#sent.splice(this.#sent.indexOf(sent), 1);
          if (error) reject(error);
          else resolve(result.rows as Result[]);
        },
      );
      this.#sent.push(sent);
      this.#watch ??= setInterval(() => this.#timeOut(), timeoutInterval).unref();
      client.query(Object.assign(query, { name }));
    });
  }

  /** One timer for all statements. With pg's timer for each, every statement would survive minor garbage collections. */
  #timeOut(): void {
    const latest = performance.now() - this.#queryTimeout;
    const overdue = this.#sent.filter(({ at }) => at < latest);
    for (const { reject } of overdue) reject(new Error('Query read timeout'));
    if (overdue.length > 0) {
      // The other statements fail with it, and run again on another connection.
      void this.#client?.end().catch(() => undefined);
      this.#client = undefined;
    }
    if (this.#sent.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /**
   * Corks the socket for this turn of the event loop, so that the statements of all concurrent requests go out in one
   * write. If requests arrive one by one, it does not wait. The stream is an internal of pg; without it, each
   * statement is a write.
   */
  #send<Result>(
    client: pg.Client,
    statement: Statement<Result>,
    values: readonly (string | Buffer)[],
  ): Promise<Result[]> {
    const stream = client.connection?.stream;
    if (!stream?.cork) return this.#run(client, statement, values);
    const isFirst = this.#inTurn++ === 0;
    if (isFirst)
      setImmediate(() => {
        this.#inLastTurn = this.#inTurn;
        this.#inTurn = 0;
        this.#held?.uncork();
        this.#held = undefined;
      });
    if (this.#held) return this.#run(client, statement, values);
    stream.cork();
    const rows = this.#run(client, statement, values);
    if (isFirst && this.#inLastTurn <= 1 && this.#sent.length === 1) stream.uncork();
    else this.#held = stream;
    return rows;
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
    const url = typeof this.#address === 'string' ? this.#address : await this.#address.reached();
    const session = sessionConfig(url, 'read');
    const client = new pg.Client({ ...session, pipeline: true });
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
