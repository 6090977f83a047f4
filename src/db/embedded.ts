import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MovingAddress } from './address.ts';
import { findBinaries } from './embedded-binaries.ts';
import { EmbeddedError, fileTrouble } from './embedded-error.ts';
import { leaseHolders, sqlState, takeLease } from './embedded-lease.ts';
import { takeFileLock } from './embedded-lock.ts';
import { type Lease, Membership } from './embedded-membership.ts';
import { type ServerFiles, serverFiles, serverUser } from './embedded-place.ts';
import { livePostmaster, readPostmaster } from './embedded-postmaster.ts';
import { endServer, StartFailed, startServer } from './embedded-server.ts';
import { hasCode } from './error-code.ts';

/** One process's share in the embedded Postgres of a home. */
export interface EmbeddedPostgres {
  /** Good for any number of connections, to the database `postgres` as the user `parley`, until the server is lost. */
  readonly url: string;
  /** The same for as long as this process stays. */
  readonly address: MovingAddress;
  readonly how: 'started' | 'attached';
  /** Gives the share back; whoever leaves last stops the server. */
  leave(): Promise<void>;
}

const patience = 30_000;
/** A port that was free may be taken a moment later; what fails more often than this does not mend by itself. */
const startsBeforeGivingUp = 3;
/** A statement of a killed server may run on for as long as it may take, and keeps the next server out. */
const orphans = /shared memory block .* is still in use/;

/**
 * Attaches to the embedded Postgres of `home`, an absolute path, or starts it where no process did; the home is made
 * where it is missing. The server is no child of this process: it runs until the last process that opened it has
 * left. A process that is killed counts as one that left, but if it was the last, the server stays until the next
 * one comes and leaves, or until `stopEmbedded`. Where the server is lost it is attached to or started again; `say`
 * is told of that.
 * @throws EmbeddedError where the server cannot be started or does not answer in time.
 */
export async function openEmbedded(home: string, say: (line: string) => void): Promise<EmbeddedPostgres> {
  try {
    // The server's user has to walk through root's home; what is secret in it is closed by itself.
    fs.mkdirSync(home, { recursive: true, mode: serverUser.uid === undefined ? 0o700 : 0o711 });
    const files = serverFiles(home);
    makePassword(files);
    const lease = await untilIn(files);
    const again = (mayStart: () => boolean) =>
      comeIn(files, { deadline: performance.now() + patience, mayInitialise: false, mayStart }).catch(
        asError,
      );
    const membership = new Membership(lease, files, again, say);
    return {
      get url() {
        return membership.url;
      },
      address: membership,
      how: lease.how === 'attached' ? 'attached' : 'started',
      leave: () => membership.leave(),
    };
  } catch (error) {
    const trouble = fileTrouble(error);
    throw trouble === undefined ? error : new EmbeddedError(trouble, { cause: error });
  }
}

/**
 * Stops the embedded Postgres of `home`, an absolute path, even where processes still use it: their connections end,
 * and they start it again.
 * @returns the numbers of those processes; undefined where no server was running.
 * @throws EmbeddedError where another process is starting it and does not finish, and where it does not end in time.
 */
export async function stopEmbedded(home: string): Promise<readonly number[] | undefined> {
  if (!fs.existsSync(home)) return undefined;
  const files = serverFiles(home);
  const deadline = performance.now() + patience;
  for (;;) {
    // A server that another process is just starting would be overlooked without the lock.
    const release = takeFileLock(files.startLock);
    if (release !== undefined) {
      try {
        if (!livePostmaster(files)) return undefined;
        // A server that lets nobody in can be stopped all the same.
        const users = await leaseHolders(files).catch(() => undefined);
        await endServer(files);
        return users ?? [];
      } finally {
        release();
      }
    }
    if (performance.now() > deadline) {
      throw new EmbeddedError(
        `another process is still starting the embedded Postgres: look at ${files.log}`,
      );
    }
    await sleep(50);
  }
}

async function untilIn(files: ServerFiles): Promise<Lease> {
  const deadline = performance.now() + patience;
  let failedStarts = 0;
  for (;;) {
    const lease = await comeIn(files, { deadline, mayInitialise: true, mayStart: () => true });
    if (!(lease instanceof Error)) return lease;
    // Beside another server on the same data, or the orphans of a killed one, waiting helps.
    const beside = readPostmaster(files) !== undefined || orphans.test(lease.message);
    if (lease instanceof StartFailed && !beside) failedStarts += 1;
    if (failedStarts === startsBeforeGivingUp || performance.now() > deadline) {
      const [reason] = lease.message.split('\n', 1);
      throw new EmbeddedError(`the embedded Postgres did not come up (${reason}): look at ${files.log}`, {
        cause: lease,
      });
    }
    await sleep(lease instanceof StartFailed ? 250 : 50);
  }
}

interface Attempt {
  /** Of `performance.now()`. */
  readonly deadline: number;
  readonly mayInitialise: boolean;
  readonly mayStart: () => boolean;
}

/**
 * A lease, or what stood in the way this time.
 * @throws what waiting does not mend.
 */
async function comeIn(files: ServerFiles, attempt: Attempt): Promise<Lease | Error> {
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
    if (!attempt.mayStart()) return new Error('this process is leaving');
    const killed = readPostmaster(files) !== undefined;
    await startServer(files, { ...attempt, binaries: findBinaries(files.home) });
    const ownLease = await attach(files);
    if (ownLease instanceof Error) return ownLease;
    return { ...ownLease, how: killed ? 'started' : 'started after a stop' };
  } catch (error) {
    if (error instanceof StartFailed) return error;
    throw error;
  } finally {
    release();
  }
}

/** @throws EmbeddedError where the server will never let us in. */
async function attach(files: ServerFiles): Promise<Lease | Error> {
  try {
    const session = await takeLease(files);
    return session === undefined ? new Error('no server is running') : { how: 'attached', session };
  } catch (error) {
    if (error instanceof EmbeddedError || !(error instanceof Error)) throw error;
    return error;
  }
}

function asError(error: unknown): Error {
  const trouble = fileTrouble(error);
  if (trouble !== undefined) return new EmbeddedError(trouble, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** Processes that come at the same time all find the one password, and find it whole. */
function makePassword(files: ServerFiles): void {
  if (fs.existsSync(files.password)) return;
  const fresh = `${files.password}.${randomBytes(6).toString('hex')}`;
  try {
    fs.writeFileSync(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    fs.linkSync(fresh, files.password);
  } catch (error) {
    // Another process was faster, and its password stands.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}
