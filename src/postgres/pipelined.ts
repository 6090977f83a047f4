import type { Writable } from 'node:stream';
import pg from 'pg';
import { activeTracing, inStatementSpan } from '../platform/tracing/spans.ts';
import type { Address } from './address.ts';
import { mayNameStatements, recognizePooler } from './pgbouncer.ts';
import { bound, type Prepared, type PreparedReader, type Row } from './prepared.ts';
import { sessionConfig } from './session-config.ts';
import { usualSilence } from './silence.ts';

/** A statement that waits for its result. */
interface Sent {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly reject: (error: Error) => void;
}

const timeoutInterval = 1_000;

/** Messages of lost connections. A read can safely be sent again. */
const connectionErrors = /terminated unexpectedly|Connection terminated|not queryable|ECONNRESET|EPIPE/;
const connectionErrorCodes = new Set(['57P01', '57P02', '08006', '08003', '08P01']);
/** The message of PgBouncer for a statement that has waited too long for a server connection. */
const fullPool = 'query_wait_timeout';
/** The second connection may fail as well: a pooler may give it a server connection that has just died. */
const maximumAttempts = 3;

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || error.message === fullPool) return false;
  return (
    connectionErrors.test(error.message) || ('code' in error && connectionErrorCodes.has(String(error.code)))
  );
}

/**
 * A read-only connection that many calls share in pipeline mode: it sends a statement before the result of the previous
 * one arrives. An error fails only its own statement. After the connection is lost, the next call opens it again.
 */
export class PipelinedConnection implements PreparedReader {
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

  constructor(address: Address, queryTimeout = usualSilence) {
    this.#address = address;
    this.#queryTimeout = queryTimeout;
  }

  query<Result>(statement: Prepared<Result>, values: readonly (string | Buffer)[]): Promise<Result[]> {
    return activeTracing()
      ? inStatementSpan(statement.text, () => this.#query(statement, values))
      : this.#query(statement, values);
  }

  async #query<Result>(statement: Prepared<Result>, values: readonly (string | Buffer)[]): Promise<Result[]> {
    for (let attempt = 1; ; attempt++) {
      let client: pg.Client | undefined;
      try {
        client = this.#client ?? (await this.#open());
        return await this.#send(client, statement, values);
      } catch (error) {
        if (this.#closed || attempt === maximumAttempts || !isConnectionError(error)) throw error;
        // The server's last error fails the statement before the socket ends.
        if (client && this.#client === client) this.#client = undefined;
      }
    }
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Statements that wait for their results. */
  get waiting(): number {
    return this.#sent.length;
  }

  /** Passes a Query object, because pg clones a plain configuration, descriptor by descriptor. */
  #run<Result>(
    client: pg.Client,
    statement: Prepared<Result>,
    given: readonly (string | Buffer)[],
  ): Promise<Result[]> {
    const { name, text, values } = bound(statement, given);
    return new Promise((resolve, reject) => {
      const sent: Sent = { at: performance.now(), reject };
      const query = new pg.Query<Row>(text, values, (error, result) => {
        this.#sent.splice(this.#sent.indexOf(sent), 1);
        if (error) reject(error);
        else resolve(result.rows as Result[]);
      });
      this.#sent.push(sent);
      this.#watch ??= setInterval(() => this.#timeOut(), timeoutInterval).unref();
      client.query(mayNameStatements(client) ? Object.assign(query, { name }) : query);
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
    statement: Prepared<Result>,
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
    // Before anyone else can notice, the server may fall silent.
    const timer = setTimeout(() => client.connection.stream.destroy(), this.#queryTimeout);
    await recognizePooler(client).finally(() => clearTimeout(timer));
    this.#client = client;
    return client;
  }
}
