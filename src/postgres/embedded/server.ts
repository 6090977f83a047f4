import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../error-code.ts';
import { type DataMaking, prepareData, sweep } from './data.ts';
import { diskFull, EmbeddedError, fileTrouble } from './error.ts';
import { openServerLog } from './log.ts';
import type { ServerFiles } from './place.ts';
import { choosePort, keptPort } from './port.ts';
import { livePostmaster, readPostmaster, removeStalePostmaster } from './postmaster.ts';
import { type Program, runProgram } from './program.ts';
import { serverUser } from './user.ts';

/** The server did not start. The message contains its own error. */
export class StartFailed extends Error {}

export interface Start extends DataMaking {
  /** Of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Starts the server of this data, detached, and waits until it accepts connections. Postgres itself prevents a second
 * server on the same data.
 * @throws StartFailed if it ends or takes too long; EmbeddedError if another attempt would fail too
 */
export async function startServer(files: ServerFiles, start: Start): Promise<Program> {
  const log = openServerLog(files);
  try {
    sweep(files);
    await prepareData(files, start, log);
    removeStalePostmaster(files);
    const port = await choosePort(files);
    // On a full disk, the server may still start if it writes nothing else.
    if (port !== keptPort(files)) replaceFile(files.port, `${port}`);
    const user = serverUser(files.data);
    const run = async (socketFolders: string) => {
      const given = { ...serverSettings, unix_socket_directories: socketFolders };
      const settings = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const args = ['-D', files.data, '-p', `${port}`, ...settings];
      const stdio: SpawnOptions['stdio'] = ['ignore', log.descriptor, log.descriptor];
      const server = runProgram(path.join(start.binaries.folder, 'postgres'), args, stdio, user);
      server.child.unref();
      await untilReady(server.child, files, start.deadline);
      return server;
    };
    // In the data folder, which is closed to other users. The path may be too long for a socket, or the file system may
    // not support sockets, such as a mount of another system.
    return await run(`"${files.data.replaceAll('"', '""')}"`).catch((error: unknown) => {
      if (!log.complaint().includes('could not create any Unix-domain sockets')) throw error;
      return run('');
    });
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    const reason = `${error instanceof Error ? error.message : String(error)}: ${log.complaint()}`;
    const trouble = fileTrouble(error) ?? complaintTrouble(reason, files);
    if (trouble !== undefined) throw new EmbeddedError(trouble, { cause: error });
    throw new StartFailed(reason, { cause: error });
  } finally {
    log.close();
  }
}

/**
 * Listens on loopback and its own socket only, with a password. Failed statements are not logged, because they quote
 * values and Parley logs them itself. Checkpoints are not logged, so that the log stays short over months.
 */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
} as const;

/** Seconds for a shutdown that ends all sessions, and then for one that leaves recovery to the next start. */
const shutdowns = [
  ['SIGINT', 20],
  ['SIGQUIT', 10],
] as const;

/**
 * Stops the server of this data and waits until it has ended.
 * @throws EmbeddedError if it does not end in time, or belongs to another user
 */
export async function endServer(files: ServerFiles): Promise<void> {
  const pid = livePostmaster(files)?.pid;
  if (pid === undefined) return;
  for (const [signal, seconds] of shutdowns) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has just ended by itself.
      if (hasCode(error, 'ESRCH')) return;
      if (!hasCode(error, 'EPERM')) throw error;
      throw new EmbeddedError(`the embedded Postgres (process ${pid}) belongs to another user`);
    }
    const deadline = performance.now() + seconds * 1000;
    while (performance.now() < deadline) {
      if (livePostmaster(files)?.pid !== pid) return;
      await sleep(20);
    }
  }
  throw new EmbeddedError(`the embedded Postgres (process ${pid}) does not end: look at ${files.log}`);
}

async function untilReady(server: ChildProcess, files: ServerFiles, deadline: number): Promise<void> {
  let failure: Error | undefined;
  server.once('error', (error) => {
    failure = error;
  });
  server.once('exit', (code, signal) => {
    failure = new Error(`postgres ended with ${code ?? signal}`);
  });
  for (;;) {
    const postmaster = readPostmaster(files);
    if (postmaster?.pid === server.pid && postmaster?.status === 'ready') return;
    if (failure !== undefined) throw failure;
    if (performance.now() > deadline) throw new Error('postgres is not ready yet');
    await sleep(20);
  }
}

/** A message for errors that another attempt does not mend. Undefined for others. */
function complaintTrouble(complaint: string, { data }: ServerFiles): string | undefined {
  const user = /could not look up effective user ID (\d+)/.exec(complaint)?.[1];
  if (user !== undefined)
    return `uid ${user}, which runs Postgres, has no entry in /etc/passwd, and Postgres makes no database without one: add it, run Parley as another user, or set DATABASE_URL`;
  return /No space left on device|Disk quota exceeded/.test(complaint) ? diskFull(data) : undefined;
}

function replaceFile(file: string, text: string): void {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    fs.writeFileSync(fresh, text);
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}
