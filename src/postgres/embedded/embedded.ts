import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MovingAddress } from '../address.ts';
import { hasCode } from '../error-code.ts';
import { makeFolder } from '../make-folder.ts';
import { findBinaries } from './binaries.ts';
import { EmbeddedError, fileTrouble } from './error.ts';
import { leaseHolders, sqlState, takeLease } from './lease.ts';
import { takeFileLock } from './lock.ts';
import { type Lease, Membership } from './membership.ts';
import { type ServerFiles, serverFiles } from './place.ts';
import { livePostmaster, readPostmaster } from './postmaster.ts';
import { endServer, StartFailed, startServer } from './server.ts';
import { isRoot } from './user.ts';

/** One process's use of the embedded Postgres of a home. */
export interface EmbeddedPostgres {
  /** The URL, for any number of connections, until the server is lost. */
  readonly url: string;
  /** The address, which follows the server if it is lost and returns. */
  readonly address: MovingAddress;
  readonly how: 'started' | 'attached';
  /** Leaves the server. The last process that leaves stops it. Returns the ids of the processes that still use it. */
  leave(): Promise<readonly number[]>;
}

const patience = 30_000;
/** Another program may take a free port first. A start that fails more often has another reason. */
const startsBeforeGivingUp = 3;
/** A statement of a killed server may run until its own limit, and blocks the next server until then. */
const orphans = /shared memory block .* is still in use/;

/**
 * Attaches to the embedded Postgres of `home`, an absolute path, or starts it if it does not run. Creates the home if it
 * is missing. The server is not a child of this process: it runs until the last process that uses it leaves. A killed
 * process counts as having left, but if it was the last, the server runs until another one attaches and leaves, or until
 * `stopEmbedded`. If the server is lost, attaches to it or starts it again, and reports that to the callback.
 * @throws EmbeddedError if the server cannot be started or does not respond in time
 */
export async function openEmbedded(home: string, say: (line: string) => void): Promise<EmbeddedPostgres> {
  try {
    // The server's user must be able to enter root's home. Secret files in it are closed individually.
    makeFolder(home, isRoot ? 0o711 : 0o700);
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
 * Stops the embedded Postgres of `home`, an absolute path, even if processes still use it. Their connections end, and they
 * start it again.
 * @returns the ids of those processes, or undefined if no server was running
 * @throws EmbeddedError if another process does not finish starting it, or the server does not end in time
 */
export async function stopEmbedded(home: string): Promise<readonly number[] | undefined> {
  if (!fs.existsSync(home)) return undefined;
  const files = serverFiles(home);
  const deadline = performance.now() + patience;
  for (;;) {
    // Without the lock, a server that another process is starting would be missed.
    const release = takeFileLock(files.startLock);
    if (release !== undefined) {
      try {
        if (!livePostmaster(files)) return undefined;
        // A server that rejects connections can still be stopped.
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
    // Waiting helps if another server, or children of a killed one, still use the data.
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
 * A lease, or the obstacle of this attempt.
 * @throws if another attempt would fail too
 */
async function comeIn(files: ServerFiles, attempt: Attempt): Promise<Lease | Error> {
  const lease = await attach(files);
  if (!(lease instanceof Error)) return lease;
  const release = takeFileLock(files.startLock);
  if (release === undefined) return new Error('another process is still starting it');
  try {
    // The previous holder of the lock may have started it.
    const lateLease = await attach(files);
    if (!(lateLease instanceof Error)) return lateLease;
    // The server runs, so starting another one would fail.
    if (hasCode(lateLease, ...Object.values(sqlState))) return lateLease;
    if (!attempt.mayStart()) return new Error('this process is leaving');
    const killed = readPostmaster(files) !== undefined;
    const server = await startServer(files, { ...attempt, binaries: findBinaries(files.home) });
    const ownLease = await attach(files);
    // The server now stops with its last lease, no longer with this process.
    server.letRun();
    if (ownLease instanceof Error) return ownLease;
    return { ...ownLease, how: killed ? 'started' : 'started after a stop' };
  } catch (error) {
    if (error instanceof StartFailed) return error;
    throw error;
  } finally {
    release();
  }
}

/** @throws EmbeddedError if the server will always reject the connection */
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

/** Processes that start at the same time all read the same, complete password. */
function makePassword(files: ServerFiles): void {
  if (fs.existsSync(files.password)) return;
  const fresh = `${files.password}.${randomBytes(6).toString('hex')}`;
  try {
    fs.writeFileSync(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    fs.linkSync(fresh, files.password);
  } catch (error) {
    // Another process was faster: its password counts.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}
