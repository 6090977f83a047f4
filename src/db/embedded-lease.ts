import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedError } from './embedded-error.ts';
import type { ServerFiles } from './embedded-place.ts';
import { commandOf, livePostmaster, type Postmaster } from './embedded-postmaster.ts';
import { endServer } from './embedded-server.ts';
import { hasCode } from './error-code.ts';

/** Held shared by everyone who uses the server, exclusively by the one who stops it. */
const leaseLock = 727002;
/** What a server says that ends a session, that is coming up or going down, and that is full. */
export const sqlState = { sessionEnded: '57P01', notServing: '57P03', tooManySessions: '53300' } as const;
const wrongPassword = '28P01';
const leaseName = 'parley lease';
/**
 * Milliseconds for which a no is asked again: a process that is killed is there for a moment, and its session lives on
 * until Postgres notices the closed socket, which takes a machine that is busy longer.
 */
const [forTheDying, forTheirSessions] = [100, 3000];

/** What a session with an embedded server is opened with. */
interface Place {
  /** An address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly password?: string | undefined;
}

/** The address of an embedded server, to which such a session goes. */
export function urlOf({ host, port, password }: Place): string {
  const isFolder = host.startsWith('/');
  // As libpq writes it: the folder in the host's own place would have to be escaped beyond reading.
  const folder = isFolder ? `?host=${encodeURIComponent(host).replaceAll('%2F', '/')}` : '';
  return `postgres://parley:${password}@${isFolder ? 'localhost' : host}:${port}/postgres${folder}`;
}

/** The address of this server: its socket, which costs a query less than TCP does, where it has one. */
export function addressOf({ socketFolder, port }: Postmaster, files: ServerFiles): string {
  const password = fs.readFileSync(files.password, 'utf8');
  return urlOf({ host: socketFolder === '' ? '127.0.0.1' : socketFolder, port, password });
}

/**
 * Connects to the server of this data; undefined where none runs.
 * @throws where one runs but does not let us in, or not yet, or no more; EmbeddedError where it never will.
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
  // Without a listener the loss of the connection would end the process; who needs to know listens as well.
  session.on('error', () => {});
  try {
    await session.connect();
    const { rows } = await session.query<{ data_directory: string }>('show data_directory');
    // A server that was killed leaves its port in postmaster.pid, where by now another one may listen.
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
 * The numbers of the processes that hold a lease now; undefined where no server runs.
 * @throws as `connect` does.
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
 * Connects and counts this process among the users of the server, for as long as the session lives; undefined where
 * no server runs.
 * @throws as `connect` does, and where the server is just being stopped.
 */
export async function takeLease(files: ServerFiles): Promise<pg.Client | undefined> {
  const session = await connect(files);
  try {
    // Waits while the one who left last stops the server, and then ends together with it.
    await session?.query('select pg_advisory_lock_shared($1)', [leaseLock]);
    return session;
  } catch (error) {
    await session?.end();
    throw error;
  }
}

/**
 * Ends the session that holds a lease, and the server too where nobody else holds one.
 * @throws where the server does not end in time.
 */
export async function giveLeaseBack(session: pg.Client, files: ServerFiles): Promise<void> {
  try {
    if (await isLast(session)) await endServer(files);
  } finally {
    await session.end();
  }
}

/** Drops the shared lock and tries for the exclusive one, with which nobody can attach until the session ends. */
async function isLast(session: pg.Client): Promise<boolean> {
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
      if (rows[0]?.last === true) return true;
      const isUsed = (await holdersBy(session)).some((pid) => commandOf(pid) !== '');
      if (performance.now() - began > (isUsed ? forTheDying : forTheirSessions)) return false;
    }
  } catch (error) {
    // Another one who leaves stops the server. We hear so by an answer or, between two queries, by an event.
    if (!lost && !hasCode(error, sqlState.sessionEnded)) throw error;
  }
  return false;
}
