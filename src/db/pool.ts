import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import type { Address, MovingAddress } from './address.ts';

/** Receives a line about the database. Never writes to stdout, which belongs to JSON-RPC. */
export type Warn = (line: string) => void;

export interface PoolOptions {
  readonly connectionString: Address;
  readonly mode: 'read' | 'write';
  readonly max: number;
  readonly warn: Warn;
  /** Milliseconds; 0 for no limit. 15 s by default. */
  readonly statementTimeout?: number;
}

const int8 = 20;
/** Parses bigint columns as numbers, because they hold counts and versions below 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);

/** Milliseconds. */
const defaultStatementTimeout = 15_000;
const lockTimeout = 10_000;
const idleInTransactionTimeout = 20_000;
const acquireTimeout = 2_000;
const connectTimeout = 5_000;

/**
 * The configuration of a connection. In mode `read`, the session rejects writes. That is set as the connection opens, so
 * it costs no round trip.
 * @param statementTimeout milliseconds; 0 for no limit
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

/** Opens a pool of connections. */
export function openPool({ connectionString, mode, max, warn, statementTimeout }: PoolOptions): Knex {
  const configOf = (url: string) => sessionConfig(url, mode, statementTimeout) as Knex.PgConnectionConfig;
  const configNow = async (moving: MovingAddress) => {
    const url = await moving.reached();
    return { ...configOf(url), expirationChecker: () => moving.current() !== url };
  };
  // By default, knex prints warnings to stdout, and a stack trace for every failed connection.
  const log = (message: unknown) => warn(`database: ${String(message).split('\n', 1)[0]}`);
  return createKnex({
    client: 'pg',
    connection:
      typeof connectionString === 'string' ? configOf(connectionString) : () => configNow(connectionString),
    // Otherwise errors would quote the values of the statement, which may be secrets.
    compileSqlOnError: false,
    pool: { min: 0, max, acquireTimeoutMillis: acquireTimeout },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: log, error: log, deprecate: log, debug: () => undefined },
  });
}
