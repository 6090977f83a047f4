import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hasCode } from '../error-code.ts';
import { EmbeddedError } from './error.ts';
import type { ServerFiles } from './place.ts';
import { commandOf, livePostmaster, type Postmaster } from './postmaster.ts';
import { endServer } from './server.ts';

/** An advisory lock. Every process that uses the server holds it shared; the one that stops it holds it exclusively. */
const leaseLock = 727002;
/** SQLSTATEs of a server that ends a session, starts or stops, or has no free connection. */
export const sqlState = { sessionEnded: '57P01', notServing: '57P03', tooManySessions: '53300' } as const;
const wrongPassword = '28P01';
const leaseName = 'parley lease';
/**
 * Milliseconds for which the exclusive lock is tried again. The session of a killed process lives until Postgres notices
 * the closed socket, which takes longer on a busy machine.
 */
const [deadProcessWait, deadSessionWait] = [100, 3000];

/** The parameters of a session with an embedded server. */
interface Place {
  /** An IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly password?: string | undefined;
}

/** The URL of an embedded server. */
export function urlOf({ host, port, password }: Place): string {
  const isFolder = host.startsWith('/');
  // The folder is a parameter, as in libpq, because as the host it would have to be escaped.
  const folder = isFolder ? `?host=${encodeURIComponent(host).replaceAll('%2F', '/')}` : '';
  return `postgres://parley:${password}@${isFolder ? 'localhost' : host}:${port}/postgres${folder}`;
}

/** The address of this server: its socket if it has one, because queries are faster than over TCP. */
export function addressOf({ socketFolder, port }: Postmaster, files: ServerFiles): string {
  const password = fs.readFileSync(files.password, 'utf8');
  return urlOf({ host: socketFolder === '' ? '127.0.0.1' : socketFolder, port, password });
}

/**
 * Connects to the server of this data. Undefined if none runs.
 * @throws if it rejects the connection for now; EmbeddedError if it always will
 */
async function connect(files: ServerFiles): Promise<pg.Client | undefined> {
  const postmaster = livePostmaster(files);
  if (!postmaster) return undefined;
  const session = new pg.Client({
    connectionString: addressOf(postmaster, files),
    application_name: `${leaseName} ${process.pid}`,
    connectionTimeoutMillis: 2000,
    query_timeout: 10_000,
  });
  // Without a listener, a lost connection would end the process. Callers add their own.
  session.on('error', () => {});
  try {
    await session.connect();
    const { rows } = await session.query<{ data_directory: string }>('show data_directory');
    // A killed server leaves its port in postmaster.pid, and another program may use that port by now.
    if (rows[0]?.data_directory === files.data) return session;
  } catch (error) {
    await session.end();
    if (hasCode(error, 'ECONNREFUSED', 'ENOENT')) return undefined;
    if (!hasCode(error, wrongPassword)) throw error;
    throw new EmbeddedError(
      `the password in ${files.password} is not that of the database in ${files.data}: put the file back`,
      { cause: error },
    );
  }
  await session.end();
  return undefined;
}

/**
 * The ids of the processes that hold a lease. Undefined if no server runs.
 * @throws as `connect` does
 */
export async function leaseHolders(files: ServerFiles): Promise<number[] | undefined> {
  const session = await connect(files);
  try {
    return session && (await holdersBy(session));
  } finally {
    await session?.end();
  }
}

async function holdersBy(session: pg.Client): Promise<number[]> {
  const { rows } = await session.query<{ holder: string }>(
    `select application_name as holder from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [leaseLock],
  );
  return rows.map(({ holder }) => Number(holder.slice(leaseName.length)));
}

/**
 * Connects and takes a lease: until the session ends, this process counts as a user of the server. Undefined if no server
 * runs.
 * @throws as `connect` does, and if another process is stopping the server
 */
export async function takeLease(files: ServerFiles): Promise<pg.Client | undefined> {
  const session = await connect(files);
  try {
    // While the last user stops the server, this waits, and then fails with it.
    await session?.query('select pg_advisory_lock_shared($1)', [leaseLock]);
    return session;
  } catch (error) {
    await session?.end();
    throw error;
  }
}

/**
 * Ends the session of a lease, and the server too if no other process holds one.
 * @returns the ids of the processes for which the server keeps running
 * @throws if the server does not end in time
 */
export async function giveLeaseBack(session: pg.Client, files: ServerFiles): Promise<number[]> {
  try {
    const others = await otherHolders(session);
    if (others === undefined) await endServer(files);
    return others ?? [];
  } finally {
    await session.end();
  }
}

/**
 * Exchanges the shared lock for the exclusive one, which keeps others from attaching until the session ends.
 * @returns undefined if this process is the last. Else the processes that still use the server, or none if another one
 * that leaves stops it.
 */
async function otherHolders(session: pg.Client): Promise<number[] | undefined> {
  let lost = false;
  session.once('error', () => {
    lost = true;
  });
  try {
    await session.query('select pg_advisory_unlock_shared($1)', [leaseLock]);
    for (const began = performance.now(); ; await sleep(50)) {
      const { rows } = await session.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
        leaseLock,
      ]);
      if (rows[0]?.last === true) return undefined;
      const holders = await holdersBy(session);
      const isUsed = holders.some((pid) => commandOf(pid) !== '');
      if (performance.now() - began > (isUsed ? deadProcessWait : deadSessionWait)) return holders;
    }
  } catch (error) {
    // Another process that leaves stops the server: the query fails, or the connection ends between two queries.
    if (!lost && !hasCode(error, sqlState.sessionEnded)) throw error;
  }
  return [];
}
