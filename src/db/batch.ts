import pg from 'pg';
import { postgresTypes } from './pool.ts';
import type { BoundStatement } from './statement.ts';

/** A statement that waits to be sent, and where its outcome goes. */
export interface PendingStatement {
  readonly statement: BoundStatement;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: Error) => void;
}

/** pg's query with the members by which its client drives it. */
interface DrivenQuery extends Omit<pg.Query, 'submit'> {
  readonly _result: { _types: pg.CustomTypesConfig };
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}

/** pg's connection with the names of the statements whose Parse it has sent. */
interface PreparingConnection extends pg.Connection {
  readonly submittedNamedStatements: Record<string, string>;
}

/** Collects the messages that pg's queries write to a connection, without the Sync of each. */
interface Collector {
  readonly collecting: pg.Connection;
  readonly messages: Buffer[];
}

const collectors = new WeakMap<pg.Connection, Collector>();

function collectorOf(connection: pg.Connection): Collector {
  const known = collectors.get(connection);
  if (known) return known;
  const messages: Buffer[] = [];
  const stream = { writable: true, write: (message: Buffer) => messages.push(message) };
  const collecting = Object.assign(Object.create(connection) as pg.Connection, {
    stream,
    sync: () => undefined,
  });
  collectors.set(connection, { collecting, messages });
  return { collecting, messages };
}

/**
 * Several statements in one write with one Sync at the end: if one of them fails, Postgres skips those that follow, and
 * they fail with the same error. pg's client drives a batch as it drives a single query; each message goes on to the
 * statement whose turn it is.
 */
export class Batch implements pg.Submittable {
  readonly #pending: readonly PendingStatement[];
  readonly #queries: readonly DrivenQuery[];
  readonly #onEnd: (error?: Error) => void;
  /** The statement whose messages arrive. */
  #index = 0;
  #refusal: Error | null = null;

  /**
   * @param pending at least one statement
   * @param onEnd called once every statement has its outcome, with the error if one failed
   */
  constructor(pending: readonly PendingStatement[], onEnd: (error?: Error) => void) {
    this.#pending = pending;
    this.#onEnd = onEnd;
    this.#queries = pending.map((each) => this.#queryOf(each));
  }

  /** pg's client remembers by name and text what the server has prepared. */
  get name(): string | undefined {
    return this.#pending[this.#index]?.statement.name;
  }

  get text(): string | undefined {
    return this.#pending[this.#index]?.statement.text;
  }

  /** @returns why a statement could not be written, for instance because of a value; then nothing is sent */
  submit(connection: pg.Connection): Error | null {
    const { collecting, messages } = collectorOf(connection);
    messages.length = 0;
    for (const query of this.#queries) this.#refusal ??= query.submit(collecting);
    if (this.#refusal) return this.#refusal;
    connection.sync.call(collecting);
    connection.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.#queries[this.#index]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#queries[this.#index]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const query = this.#queries[this.#index];
    query?.handleCommandComplete(message, connection);
    query?.handleReadyForQuery(connection);
    this.#index++;
  }

  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements } = connection as PreparingConnection;
    for (const { statement, reject } of this.#pending.slice(this.#index)) {
      // The server has skipped its Parse, or refused it.
      if (statement.name !== undefined) delete submittedNamedStatements[statement.name];
      reject(error);
    }
    this.#index = this.#pending.length;
    this.#onEnd(error);
  }

  handleReadyForQuery(): void {
    this.#onEnd();
  }

  #queryOf({ statement: { name, text, values }, resolve, reject }: PendingStatement): DrivenQuery {
    const query = new pg.Query(text, [...values], (error, result) => {
      if (!error) return resolve(result);
      this.#refusal ??= error;
      reject(error);
    });
    // Without a name or values, pg would send it as a simple query, which is a Sync of its own.
    const driven = Object.assign(query, { name, queryMode: 'extended' }) as unknown as DrivenQuery;
    // As pg's client does. It clones a query that is given with its types, descriptor by descriptor.
    // oxlint-disable-next-line no-underscore-dangle -- pg has no other way
    driven._result._types = postgresTypes;
    return driven;
  }
}
