import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { handshakeProcess } from '../platform/private-members/pg.ts';
import { hasCode } from './error-code.ts';

/** A pooler such as PgBouncer stands before Postgres, and loses what Parley needs. The message is one line. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/** The section that says how to set up a pooler. */
const guide = 'docs/guides/operating.md#pgbouncer';

/** Without one of these, a statement, a lock or a forgotten transaction could hold others up for ever. */
const missingLimits = `
  select name from unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) as name
  where current_setting(name) = '0'`;

/** SQLSTATE of a protocol violation, which PgBouncer uses for all its own errors. */
const protocolViolation = '08P01';

/**
 * Checks that sessions have time limits: Parley sends them as startup parameters, which a pooler may ignore.
 * @throws PoolerError
 */
export async function requireTimeLimits(
  run: (sql: string) => PromiseLike<{ rows: { name: string }[] }>,
): Promise<void> {
  const { rows } = await run(missingLimits);
  if (rows.length === 0) return;
  throw new PoolerError(
    `the pooler in DATABASE_URL ignores ${rows.map(({ name }) => name).join(', ')}. ` +
      `Set them for Parley's role with "alter role": see ${guide}`,
  );
}

/** Explains the error of a pooler that rejects startup parameters. Returns any other error unchanged. */
export function asPoolerError(error: unknown): unknown {
  if (!hasCode(error, protocolViolation) || !(error instanceof Error)) return error;
  const [, name] = /unsupported startup parameter: (\w+)/.exec(error.message) ?? [];
  if (name === undefined) return error;
  return new PoolerError(
    `the pooler in DATABASE_URL rejects the startup parameter ${name}. Set ignore_startup_parameters in it: see ${guide}`,
    { cause: error },
  );
}

/** What a pooler does with the names of prepared statements. */
type Naming = 'none' | 'kept';

/** The connections that lead to a pooler. */
const pooled = new WeakMap<pg.Connection, Naming>();

/**
 * Finds out whether a pooler stands between a new connection and Postgres. Then the handshake names another process than
 * the one that runs this statement.
 */
export async function recognizePooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  if (rows[0]?.pid !== handshakeProcess(client)) pooled.set(client.connection, await namingOf(client));
}

/**
 * Prepares a statement, and looks in Postgres for its name. A pooler that keeps names has changed it, because the clients
 * who share a session may each use it: PgBouncer from 1.21 on, with `max_prepared_statements`.
 */
async function namingOf(client: pg.Client): Promise<Naming> {
  const name = `parley_${randomUUID().replaceAll('-', '')}`;
  const text = 'select exists (select from pg_prepared_statements where name = $1) as unchanged';
  // In a transaction, which has one session.
  await client.query('begin');
  const { rows } = await client.query<{ unchanged: boolean }>({ name, text, values: [name] });
  if (rows[0]?.unchanged) await client.query(`deallocate ${name}`);
  await client.query('commit');
  return rows[0]?.unchanged ? 'none' : 'kept';
}

/**
 * False behind a pooler that does not keep names: the next transaction may run in a process that does not know the name,
 * or knows a statement of another client by it.
 */
export function mayNameStatements({ connection }: pg.Client): boolean {
  return pooled.get(connection) !== 'none';
}

/**
 * True behind a pooler that keeps names. It remembers a statement from its Parse message on, even if Postgres skips or
 * refuses that, and ends a connection that sends the same name again.
 */
export function remembersRefusedNames(connection: pg.Connection): boolean {
  return pooled.get(connection) === 'kept';
}
