import createKnex, { type Knex } from 'knex';

/*
 * Members of Knex 3.3.0 that its types or its documentation lack. Knex is pinned; `test/platform/private-members.test.ts`
 * fails with another version until somebody has compared this file with it.
 */

/** How many connections a pool has, and how many callers wait for one. */
export interface PoolUse {
  readonly most: number;
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}

/** The members of tarn's pool that are read. */
interface TarnPool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/**
 * The use of a pool (`Client.pool`).
 * Why: the metrics and the refusal of a full pool need it. Test: test/platform/private-members.test.ts.
 */
export function useOf(knex: Knex): PoolUse {
  const { pool } = knex.client as { readonly pool: TarnPool };
  return {
    most: pool.max,
    used: pool.numUsed(),
    free: pool.numFree(),
    waiting: pool.numPendingAcquires(),
  };
}

/** What Knex reports of a statement. The text has placeholders for the values. */
export interface ReportedStatement {
  readonly sql: string;
}

/**
 * The id of a statement, which Knex's events about it share (`__knexQueryUid`).
 * Why: a span ends with the event of its own statement. Test: test/platform/tracing/tracing.test.ts.
 */
export function statementId(reported: ReportedStatement): string {
  const { __knexQueryUid: id } = reported as ReportedStatement & { readonly __knexQueryUid: string };
  return id;
}

/** Knex's client for Postgres. */
const PostgresClient = (createKnex({ client: 'pg' }).client as Knex.Client).constructor as typeof Knex.Client;

/**
 * A class of Knex's clients for Postgres that send each query through `send` (`Client.acquireConnection`,
 * `Client.releaseConnection`, `Client.transaction`, `Client._query`).
 * The configuration of a client holds its connection as `own`.
 * Why: builders then run in a transaction that is not Knex's, which pipelines its statements.
 * Test: test/platform/private-members.test.ts.
 */
export function clientThatSends(
  send: (connection: unknown, text: string, values: readonly unknown[]) => Promise<unknown>,
): typeof Knex.Client {
  return class extends PostgresClient {
    /** For queries that name no connection of their own. */
    override acquireConnection(): Promise<unknown> {
      return Promise.resolve((this.config as unknown as { readonly own: unknown }).own);
    }

    override releaseConnection(): Promise<void> {
      return Promise.resolve();
    }

    override transaction(): never {
      throw new Error('a transaction has no transactions of its own');
    }

    async _query(connection: unknown, query: { sql: string; bindings?: unknown[]; response?: unknown }) {
      query.response = await send(connection, query.sql, query.bindings ?? []);
      return query;
    }
  };
}
