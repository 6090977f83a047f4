import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Wire } from './wire.ts';

/** Work as far as it is the same on each machine, by the titles of the table. */
export interface Work {
  /** Statements that Postgres ran, those of functions and triggers included. */
  readonly statements: number;
  /** Rows that these statements returned or changed. */
  readonly rows: number;
  /** Times that Parley waited for Postgres. */
  readonly 'round trips': number;
  /** Bytes that Parley sent to Postgres and received from it. */
  readonly sent: number;
  readonly received: number;
  /** Pages of 8 KiB that statements looked at. */
  readonly buffers: number;
  /** Bytes of the write-ahead log. */
  readonly WAL: number;
}

/** Milliseconds between two looks at the sessions of Parley. */
const pause = 2;

/**
 * Parley writes when a key was last used every five seconds, whatever a call does. What begins with `pg_stat` in a
 * statement is the meter's own. The pages and the log of a nested statement are counted with the statement that ran it.
 */
const counted = `
  select coalesce(sum(calls), 0)::int as statements,
    coalesce(sum(rows), 0)::int as rows,
    coalesce(sum(shared_blks_hit + shared_blks_read) filter (where toplevel), 0)::int as buffers,
    coalesce(sum(wal_bytes) filter (where toplevel), 0)::int as "WAL"
  from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())
    and query not like '%pg_stat%' and query not like '%last_used_at = greatest%'`;

const reset = `
  select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)`;

const busy = `
  select count(*)::int as busy from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`;

/** Runs a call, waits until Postgres has nothing left to do for it, and returns its work. */
export async function measure(
  { session, wire }: { session: pg.Client; wire: Wire },
  call: () => Promise<void>,
): Promise<Work> {
  const untilIdle = async () => {
    while ((await session.query<{ busy: number }>(busy)).rows[0]?.busy !== 0) await delay(pause);
  };
  await untilIdle();
  await session.query(reset);
  const before = wire.traffic();
  await call();
  await untilIdle();
  const after = wire.traffic();
  const { rows } = await session.query<Pick<Work, 'statements' | 'rows' | 'buffers' | 'WAL'>>(counted);
  const [found] = rows;
  if (!found) throw new TypeError('Postgres returned no counts');
  return {
    ...found,
    'round trips': after.roundTrips - before.roundTrips,
    sent: after.bytesSent - before.bytesSent,
    received: after.bytesReceived - before.bytesReceived,
  };
}
