import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { findBinaries } from './embedded-binaries.ts';
import { connect, giveLeaseBack, sqlState, takeLease } from './embedded-lease.ts';
import { takeFileLock } from './embedded-lock.ts';
import { type ServerFiles, serverFiles, serverUser } from './embedded-place.ts';
import { endServer, readPostmaster, StartFailed, startServer } from './embedded-server.ts';
import { hasCode } from './error-code.ts';

/** One process's share in the embedded Postgres of a home. */
export interface EmbeddedPostgres {
  /** Good for any number of connections, to the database `postgres` as the user `parley`. */
  readonly url: string;
  readonly how: 'started' | 'attached';
  /** Gives the share back; whoever leaves last stops the server. */
  leave(): Promise<void>;
}

const patience = 30_000;
/** A port that was free may be taken a moment later; what fails more often than this does not mend by itself. */
const startsBeforeGivingUp = 3;

interface Lease {
  readonly how: EmbeddedPostgres['how'];
  readonly session: pg.Client;
}

/**
 * Attaches to the embedded Postgres of `home`, an absolute path, or starts it where no process did; the home is made
 * where it is missing. The server is no child of this process: it runs until the last process that opened it has
 * left. A process that is killed counts as one that left, but if it was the last, the server stays until the next
 * one comes and leaves, or until `stopEmbedded`. `say` is told when the connection to it is lost.
 * @throws one line that names the server's log where the server cannot be started or does not answer in time.
 */
export async function openEmbedded(home: string, say: (line: string) => void): Promise<EmbeddedPostgres> {
  // The server's user has to walk through root's home; what is secret in it is closed by itself.
  fs.mkdirSync(home, { recursive: true, mode: serverUser.uid === undefined ? 0o700 : 0o711 });
  const files = serverFiles(home);
  makePassword(files);
  const deadline = performance.now() + patience;
  let failedStarts = 0;
  for (;;) {
    const lease = await attachOrStart(files, deadline);
    if (!(lease instanceof Error)) return share(lease, files, say);
    // Beside another server on the same data, which is ending or still coming up, waiting helps.
    if (lease instanceof StartFailed && readPostmaster(files) === undefined) failedStarts += 1;
    if (failedStarts === startsBeforeGivingUp || performance.now() > deadline) {
      const [reason] = lease.message.split('\n', 1);
      throw new Error(`The embedded Postgres did not come up (${reason}); look at ${files.log}`, {
        cause: lease,
      });
    }
    await sleep(lease instanceof StartFailed ? 250 : 50);
  }
}

/**
 * Stops the embedded Postgres of `home`, an absolute path, even where processes still use it: their connections end.
 * @throws where another process is starting it and does not finish, where it does not let us in, and where it does
 * not end in time.
 */
export async function stopEmbedded(home: string): Promise<'stopped' | 'not running'> {
  if (!fs.existsSync(home)) return 'not running';
  const files = serverFiles(home);
  const deadline = performance.now() + patience;
  for (;;) {
    // A server that another process is just starting would be overlooked without the lock.
    const release = takeFileLock(files.startLock);
    if (release !== undefined) {
      try {
        if (!(await isRunning(files))) return 'not running';
        await endServer(files);
        return 'stopped';
      } finally {
        release();
      }
    }
    if (performance.now() > deadline) {
      throw new Error(`Another process is still starting the embedded Postgres; look at ${files.log}`);
    }
    await sleep(50);
  }
}

/** A lease, or what stood in the way this time. */
async function attachOrStart(files: ServerFiles, deadline: number): Promise<Lease | Error> {
  const lease = await attach(files);
  if (!(lease instanceof Error)) return lease;
  const release = takeFileLock(files.startLock);
  if (release === undefined) return new Error('another process is still starting it');
  try {
    // Whoever held the lock before us may have started it.
    const lateLease = await attach(files);
    if (!(lateLease instanceof Error)) return lateLease;
    // The server is alive: starting another one would only be refused.
    if (hasCode(lateLease, ...Object.values(sqlState))) return lateLease;
    const binaries = findBinaries(files.home);
    await startServer(files, binaries, deadline);
    const ownLease = await attach(files);
    return ownLease instanceof Error ? ownLease : { ...ownLease, how: 'started' };
  } catch (error) {
    if (error instanceof StartFailed) return error;
    throw error;
  } finally {
    release();
  }
}

async function attach(files: ServerFiles): Promise<Lease | Error> {
  try {
    const session = await takeLease(files);
    return session === undefined ? new Error('no server is running') : { how: 'attached', session };
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function share({ how, session }: Lease, files: ServerFiles, say: (line: string) => void): EmbeddedPostgres {
  let lost = false;
  let leaving: Promise<void> | undefined;
  session.once('error', ({ message }) => {
    lost = true;
    if (leaving !== undefined) return;
    say(`The connection to the embedded Postgres was lost (${message}); ${files.log} may say more.`);
  });
  // With the connection the lease is gone already, so there is nothing to give back.
  const giveBack = () => (lost ? Promise.resolve() : giveLeaseBack(session, files));
  return {
    url: `postgres://parley:${session.password}@${session.host}:${session.port}/${session.database}`,
    how,
    leave: () => (leaving ??= giveBack()),
  };
}

async function isRunning(files: ServerFiles): Promise<boolean> {
  try {
    const session = await connect(files);
    await session?.end();
    return session !== undefined;
  } catch (error) {
    if (hasCode(error, sqlState.notServing)) return true;
    throw error;
  }
}

/** Processes that come at the same time all find the one password, and find it whole. */
function makePassword(files: ServerFiles): void {
  if (fs.existsSync(files.password)) return;
  const fresh = `${files.password}.${randomBytes(6).toString('hex')}`;
  fs.writeFileSync(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  try {
    fs.linkSync(fresh, files.password);
  } catch (error) {
    // Another process was faster, and its password stands.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    fs.rmSync(fresh);
  }
}
