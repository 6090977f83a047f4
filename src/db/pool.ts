import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import type { Address, MovingAddress } from './address.ts';

/** Where a line about the database goes: never stdout, which belongs to JSON-RPC. */
export type Warn = (line: string) => void;

export interface PoolOptions {
  readonly connectionString: Address;
  readonly mode: 'read' | 'write';
  readonly max: number;
  readonly say: Warn;
  /** Milliseconds, 0 for none; 15 s unless told otherwise. */
  readonly statementTimeout?: number;
}

const int8 = 20;
/** bigint columns hold counts and versions within 2^53; as text they would leak into answers as strings. */
const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);

/** Milliseconds: a statement, a lock and an idle transaction are cut; waiting for a connection is, too. */
const defaultStatementTimeout = 15_000;
const lockTimeout = 10_000;
const idleInTransactionTimeout = 20_000;
const acquireTimeout = 2_000;
const connectTimeout = 5_000;

/**
 * What every connection of Parley is opened with. Readers are sessions that refuse writes: the server
 * parameter is set at connect, so the promise of `readOnly` costs no extra round trip.
 */
export function sessionConfig(
  connectionString: string,
  mode: 'read' | 'write',
  statementTimeout = defaultStatementTimeout,
): pg.ClientConfig {
  const readOnly = mode === 'read' ? ' -c default_transaction_read_only=on' : '';
  return {
    connectionString,
    options: `-c timezone=UTC${readOnly}`,
    application_name: `parley-${mode}`,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleInTransactionTimeout,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    types,
  };
}

/** A pool of such sessions. */
export function openPool({ connectionString, mode, max, say, statementTimeout }: PoolOptions): Knex {
  const configOf = (url: string) => sessionConfig(url, mode, statementTimeout) as Knex.PgConnectionConfig;
  const configNow = async (moving: MovingAddress) => {
    const url = await moving.reached();
    return { ...configOf(url), expirationChecker: () => moving.current() !== url };
  };
  // Knex prints its warnings to stdout, and a stack for every failed connection, unless told otherwise.
  const log = (message: unknown) => say(`database: ${String(message).split('\n', 1)[0]}`);
  return createKnex({
    client: 'pg',
    connection:
      typeof connectionString === 'string' ? configOf(connectionString) : () => configNow(connectionString),
    // Its errors would quote the values of the statement, which may be secrets.
    compileSqlOnError: false,
    pool: { min: 0, max, acquireTimeoutMillis: acquireTimeout },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: log, error: log, deprecate: log, debug: () => undefined },
  });
}
