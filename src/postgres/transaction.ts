import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { clientThatSends } from '../platform/private-members/knex.ts';
import { activeTracing, inStatementSpan } from '../platform/tracing/spans.ts';
import { Batch, type PendingStatement } from './batch.ts';
import { hasCode } from './error-code.ts';
import { mayNameStatements } from './pgbouncer.ts';
import type { BoundStatement } from './prepared.ts';
import { statementName, type TableOn } from './statement.ts';

/** SQLSTATEs of a serialisation failure and of a deadlock. */
const retriedCodes = ['40001', '40P01'];
const maximumAttempts = 3;

/** Milliseconds. A server that does not even roll back loses the connection. */
const rollbackTimeout = 5_000;

const begin: BoundStatement = { name: 'begin', text: 'begin', values: [] };
const commit: BoundStatement = { name: 'commit', text: 'commit', values: [] };
const rollback: BoundStatement = { name: 'rollback', text: 'rollback', values: [] };

/** The server did not say whether it has committed. */
class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';

  constructor(cause: unknown) {
    super('the connection was lost during COMMIT', { cause });
  }
}

/**
 * A transaction on one connection. The statements of one turn of the event loop go out in one write: BEGIN with the first
 * ones, COMMIT with the last ones. So a change that awaits one statement takes two round trips.
 */
export class Transaction {
  readonly #client: pg.Client;
  #waiting: PendingStatement[] = [];
  #isScheduled = false;
  #isBusy = false;
  #hasEnded = false;
  /** Why a statement failed. Nothing but ROLLBACK is sent after it: if it was BEGIN, the rest would be committed. */
  #failure: Error | undefined;
  #knex: Knex | undefined;
  /** Starts a query on a table. A Knex of its own for each transaction would cost as much again as the query. */
  readonly table: TableOn = (name) => builders(name).connection(this);

  constructor(client: pg.Client) {
    this.#client = client;
    this.send(begin);
  }

  /** Runs a statement. After one has failed, all that follow fail with the same error. */
  async query<Row extends pg.QueryResultRow>(statement: BoundStatement): Promise<pg.QueryResult<Row>> {
    if (this.#hasEnded) throw new Error('the transaction has ended');
    return activeTracing()
      ? inStatementSpan(statement.text, () => this.#run(statement))
      : this.#run(statement);
  }

  /** Runs a statement whose result nobody needs. If it fails, so does COMMIT. */
  send(statement: BoundStatement): void {
    this.query(statement).catch(() => undefined);
  }

  /** Runs everything else that Knex can do in this transaction. */
  get knex(): Knex {
    this.#knex ??= createKnex(quietly({ client: TransactionClient, own: this } as Knex.Config));
    return this.#knex;
  }

  /** @throws if the transaction is not committed; UnknownOutcome if the connection is lost meanwhile, so that it may be */
  async commit(): Promise<void> {
    this.#hasEnded = true;
    try {
      await inStatementSpan(commit.text, () => this.#run(commit));
    } catch (error) {
      throw error instanceof pg.DatabaseError ? error : new UnknownOutcome(error);
    }
  }

  /** Rolls back. If the server does not respond in time, the connection is closed. Never throws. */
  async rollback(): Promise<void> {
    this.#hasEnded = true;
    const timer = setTimeout(() => this.#client.connection.stream.destroy(), rollbackTimeout);
    try {
      await this.#run(rollback);
    } catch {
      // The pool drops a connection that has ended.
      await this.#client.end().catch(() => undefined);
    }
    clearTimeout(timer);
  }

  #run(statement: BoundStatement): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject });
      if (!this.#isBusy) this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    const waiting = this.#waiting;
    const failure = this.#failure;
    this.#waiting = [];
    const sent = failure ? waiting.filter(({ statement }) => statement === rollback) : waiting;
    if (failure) for (const { statement, reject } of waiting) if (statement !== rollback) reject(failure);
    if (sent.length === 0) return;
    this.#isBusy = true;
    this.#client.query(
      new Batch(mayNameStatements(this.#client) ? sent : sent.map(withoutName), (error) => {
        this.#failure ??= error;
        this.#isBusy = false;
        this.#schedule();
      }),
    );
  }
}

/**
 * Runs statements on a connection of a pool, which prepares them, in one write and one transaction. So they take one round
 * trip, and none of them changes anything if one fails.
 * @returns their results, in order
 */
export async function runTogether(
  pool: Knex,
  statements: readonly BoundStatement[],
): Promise<pg.QueryResult[]> {
  const connections = pool.client as Knex.Client;
  const client = (await connections.acquireConnection()) as pg.Client;
  try {
    const text = statements.map((statement) => statement.text).join(';');
    return await inStatementSpan(text, () => sendTogether(client, statements));
  } finally {
    await connections.releaseConnection(client);
  }
}

/** Resolves or rejects once the connection is free again. */
async function sendTogether(
  client: pg.Client,
  statements: readonly BoundStatement[],
): Promise<pg.QueryResult[]> {
  const named = mayNameStatements(client);
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  const pending: PendingStatement[] = [];
  const results = statements.map(
    (statement) =>
      new Promise<pg.QueryResult>((resolve, reject) => {
        const sent = { statement, resolve, reject };
        pending.push(named ? sent : withoutName(sent));
      }),
  );
  client.query(new Batch(pending, () => free()));
  try {
    return await Promise.all(results);
  } finally {
    await isFree;
  }
}

function withoutName({ statement, ...outcome }: PendingStatement): PendingStatement {
  return { ...outcome, statement: { ...statement, name: undefined } };
}

/** Knex's client for Postgres, on the connection of a transaction. */
const TransactionClient = clientThatSends((transaction, text, values) =>
  (transaction as Transaction).query({ name: statementName(text), text, values }),
);

const builders = createKnex(quietly({ client: TransactionClient }));

/** As the pools are: errors never quote values, and nothing is printed on stdout, which belongs to JSON-RPC. */
function quietly(config: Knex.Config): Knex.Config {
  const ignore = () => undefined;
  return {
    ...config,
    compileSqlOnError: false,
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  };
}

/**
 * Runs a transaction on a connection of a pool, up to three times if Postgres asks for a retry.
 * @throws what `work` threw last, or why the transaction was not committed
 */
export async function inTransaction<Output>(
  pool: Knex,
  work: (transaction: Transaction) => Promise<Output>,
): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, work);
    } catch (error) {
      if (attempt >= maximumAttempts || !hasCode(error, ...retriedCodes)) throw error;
    }
  }
}

async function runOnce<Output>(
  pool: Knex,
  work: (transaction: Transaction) => Promise<Output>,
): Promise<Output> {
  const connections = pool.client as Knex.Client;
  const client = (await connections.acquireConnection()) as pg.Client;
  const transaction = new Transaction(client);
  try {
    const output = await work(transaction);
    await transaction.commit();
    return output;
  } catch (error) {
    await transaction.rollback();
    throw error;
  } finally {
    await connections.releaseConnection(client);
  }
}
