import { callbackify } from 'node:util';
import createKnex, { type Knex } from 'knex';
import type pg from 'pg';
import { activeTracing } from '../platform/tracing/spans.ts';
import type { Address, MovingAddress } from './address.ts';
import { recognizePooler } from './pgbouncer.ts';
import { sessionConfig } from './session-config.ts';
import { SilenceWatch, usualSilence } from './silence.ts';
import { traceStatements } from './traced-statements.ts';

/** Receives a line about the database. Never writes to stdout, which belongs to JSON-RPC. */
export type Warn = (line: string) => void;

export interface PoolOptions {
  readonly connectionString: Address;
  readonly mode: 'read' | 'write';
  readonly max: number;
  readonly warn: Warn;
  /** Milliseconds; 0 for no limit. 15 s by default. */
  readonly statementTimeout?: number;
  /** Milliseconds after which a connection is closed whose server is silent. 20 s by default. */
  readonly silence?: number | undefined;
  /** Milliseconds to wait for a free connection; longer in tests. 2 s by default. */
  readonly acquireTimeout?: number | undefined;
}

/** Milliseconds. */
const usualAcquireTimeout = 2_000;

const recognizeThen = callbackify(recognizePooler);

/**
 * Changes find their rows by index. The plan of a prepared statement that was made while a table was small would read the
 * whole table, and Postgres keeps it while the table grows, until statistics are gathered again: for a burst of new keys,
 * Postgres took 8.5 times the CPU of a bare server, and takes 1.5 times with indexes alone.
 */
const byIndex = ' -c enable_seqscan=off';

/** Opens a pool of connections. */
export function openPool({
  connectionString,
  mode,
  max,
  warn,
  statementTimeout,
  silence = usualSilence,
  acquireTimeout = usualAcquireTimeout,
}: PoolOptions): Knex {
  const watch = statementTimeout === 0 ? undefined : new SilenceWatch(silence);
  // Knex calls it for each new connection, and waits for it.
  const afterCreate = (client: pg.Client, done: (error: Error | null) => void) => {
    watch?.add(client);
    recognizeThen(client, done);
  };
  const configOf = (url: string) => {
    const config = sessionConfig(url, mode, statementTimeout);
    return {
      ...config,
      ...(mode === 'write' && { options: config.options + byIndex }),
    } as Knex.PgConnectionConfig;
  };
  const configNow = async (moving: MovingAddress) => {
    const url = await moving.reached();
    return { ...configOf(url), expirationChecker: () => moving.current() !== url };
  };
  // By default, knex prints warnings to stdout, and a stack trace for every failed connection.
  const log = (message: unknown) => warn(`database: ${String(message).split('\n', 1)[0]}`);
  const knex = createKnex({
    client: 'pg',
    connection:
      typeof connectionString === 'string' ? configOf(connectionString) : () => configNow(connectionString),
    // Otherwise errors would quote the values of the statement, which may be secrets.
    compileSqlOnError: false,
    pool: { min: 0, max, acquireTimeoutMillis: acquireTimeout, afterCreate },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: log, error: log, deprecate: log, debug: () => undefined },
  });
  if (activeTracing()) traceStatements(knex);
  return knex;
}
