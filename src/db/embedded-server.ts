import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolder, type ServerFiles, serverUser } from './embedded-place.ts';
import { hasCode } from './error-code.ts';

/** What `postmaster.pid` says. It outlives a server that was killed, so it is a hint and no proof. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

/** Reads who serves this data, or undefined where nobody does. */
export function readPostmaster(files: ServerFiles): Postmaster | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path.join(files.data, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [pid, , , port, , , , status] = text.split('\n');
  // A server that has just begun has not written all lines yet.
  if (status === undefined) return undefined;
  return { pid: Number(pid), port: Number(port), status: status.trim() };
}

/** A server that did not come up; the message carries its own complaint. */
export class StartFailed extends Error {}

/**
 * Starts the server of this data, detached, after making the data where there is none, and waits until it takes
 * connections. Postgres itself refuses a second server on the same data.
 * @throws StartFailed where it ends instead or takes too long.
 */
export async function startServer(files: ServerFiles, binaries: string, deadline: number): Promise<void> {
  openFolder(path.dirname(files.log));
  const log = fs.openSync(files.log, 'a+', 0o600);
  const before = fs.fstatSync(log).size;
  try {
    sweep(files);
    if (!fs.existsSync(path.join(files.data, 'PG_VERSION'))) await initialise(files, binaries, log);
    const port = await choosePort(files);
    const options = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    const server = run(path.join(binaries, 'postgres'), ['-D', files.data, '-p', `${port}`, ...options], log);
    server.unref();
    await untilReady(server, files, deadline);
    replaceFile(files.port, `${port}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailed(`${reason}: ${lastComplaint(log, before)}`, { cause: error });
  } finally {
    fs.closeSync(log);
  }
}

/**
 * Ends the server of this data, which the caller knows to run, and waits until it has gone.
 * @throws where it does not go in time.
 */
export async function endServer(files: ServerFiles): Promise<void> {
  const seconds = 20;
  const pid = readPostmaster(files)?.pid;
  if (pid === undefined) return;
  try {
    // Asks for a fast shutdown, which ends all sessions.
    process.kill(pid, 'SIGINT');
  } catch (error) {
    // It ended by itself a moment ago.
    if (hasCode(error, 'ESRCH')) return;
    throw error;
  }
  const deadline = performance.now() + seconds * 1000;
  while (readPostmaster(files)?.pid === pid) {
    if (performance.now() > deadline) {
      throw new Error(`The embedded Postgres (process ${pid}) does not end; look at ${files.log}`);
    }
    await sleep(20);
  }
}

async function initialise(files: ServerFiles, binaries: string, log: number): Promise<void> {
  const fresh = freshPrefix(files) + randomBytes(6).toString('hex');
  const passwordFile = `${fresh}.password`;
  fs.mkdirSync(fresh, { mode: 0o700 });
  fs.copyFileSync(files.password, passwordFile);
  if (serverUser.uid !== undefined) {
    fs.chownSync(fresh, serverUser.uid, serverUser.gid);
    fs.chownSync(passwordFile, serverUser.uid, serverUser.gid);
  }
  // The locale that comes with Postgres orders alike on every machine, and knows the case of more than ASCII.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = ['--username=parley', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const initdb = run(
    path.join(binaries, 'initdb'),
    ['-D', fresh, '--no-instructions', ...locale, ...access],
    log,
  );
  try {
    const [code, signal] = (await once(initdb, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new Error(`initdb ended with ${code ?? signal}`);
    fs.renameSync(fresh, files.data);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
}

/** The data is made under a name of its own and then renamed, so that it is there as a whole or not at all. */
const freshPrefix = (files: ServerFiles) => `${files.data}.fresh-`;

/** Removes what processes left that were killed while they made the data. */
function sweep(files: ServerFiles): void {
  const folder = path.dirname(files.data);
  for (const name of fs.readdirSync(folder)) {
    const place = path.join(folder, name);
    if (!place.startsWith(freshPrefix(files))) continue;
    try {
      fs.rmSync(place, { recursive: true, force: true });
    } catch (error) {
      // The initdb of a killed process writes on for a moment. The next start sweeps again.
      if (!hasCode(error, 'ENOTEMPTY')) throw error;
    }
  }
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

/** Running processes know the port, so a server that starts again takes the one it had, where that is free. */
async function choosePort(files: ServerFiles): Promise<number> {
  let kept: number;
  try {
    kept = Number(fs.readFileSync(files.port, 'utf8'));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return freePort(0);
  }
  try {
    return await freePort(kept);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    return freePort(0);
  }
}

async function freePort(wanted: number): Promise<number> {
  const server = net.createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function run(command: string, args: readonly string[], log: number): ChildProcess {
  return spawn(command, args, {
    ...serverUser,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
}

/** The last complaint in the log after this position, or else its last line, for whoever waits for the server. */
function lastComplaint(log: number, from: number): string {
  const added = Buffer.alloc(fs.fstatSync(log).size - from);
  fs.readSync(log, added, { position: from });
  const lines = added.toString().trimEnd().split('\n');
  return lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? '';
}

function replaceFile(file: string, text: string): void {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  fs.writeFileSync(fresh, text);
  fs.renameSync(fresh, file);
}
