import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { ServerFiles } from './embedded-place.ts';
import { hasCode } from './error-code.ts';

/** What `postmaster.pid` says. It outlives a server that was killed, so it is a hint and no proof. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Of its Unix socket; `""` where it has none. */
  readonly socketFolder: string;
  readonly status: string;
}

/** The lock of a socket, whose name has the port in it. */
const socketLock = /^\.s\.PGSQL\.\d+\.lock$/;

export const postmasterFile = ({ data }: ServerFiles) => path.join(data, 'postmaster.pid');

/** Reads which server serves this data; undefined if none does, or if its address is not complete yet. */
export function readPostmaster(files: ServerFiles): Postmaster | undefined {
  let text: string;
  try {
    text = fs.readFileSync(postmasterFile(files), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [pid, , , port, socketFolder = '', , , status = ''] = text.split('\n');
  // A starting server writes the line of its shared memory before that of its socket, and the status last: without a
  // status, an empty socket line does not mean that the server has no socket.
  if (status.trim() === '') return undefined;
  return { pid: Number(pid), port: Number(port), socketFolder, status: status.trim() };
}

/** As `readPostmaster`, and undefined where that process is gone, a zombie, or by now another program. */
export function livePostmaster(files: ServerFiles): Postmaster | undefined {
  const postmaster = readPostmaster(files);
  return postmaster && serves(postmaster.pid, files) ? postmaster : undefined;
}

/**
 * Removes the `postmaster.pid` of a server that is gone, and the lock of its socket. Postgres does so itself, but not
 * where another process (after a restart of a container, likely our own) has the number now, nor where nobody reaps the
 * dead server. A server whose orphans still use the data is refused by its shared memory, whose key is the data's inode.
 */
export function removeStalePostmaster(files: ServerFiles): void {
  const [first = ''] = readText(postmasterFile(files)).split('\n', 1);
  if (serves(Number(first), files)) return;
  fs.rmSync(postmasterFile(files), { force: true });
  for (const name of fs.readdirSync(files.data))
    if (socketLock.test(name)) fs.rmSync(path.join(files.data, name), { force: true });
}

/** True where the process of this number is a Postgres of this data. */
function serves(pid: number, { data }: ServerFiles): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const command = commandOf(pid);
  // `ps` may show a path in another spelling than ours.
  return process.platform === 'linux' ? command.includes(`-D ${data} -p `) : /\bpostgres\b/.test(command);
}

/** The command line of a process; `""` where there is none, as for a zombie. */
export function commandOf(pid: number): string {
  if (process.platform === 'linux') return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  try {
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    // The process may end between the look-up and the reading.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}
