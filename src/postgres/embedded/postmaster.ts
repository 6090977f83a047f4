import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hasCode } from '../error-code.ts';
import type { ServerFiles } from './place.ts';

/** The content of `postmaster.pid`. It outlives a killed server, so it is a hint and not a proof. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The folder of its Unix socket, or `""`. */
  readonly socketFolder: string;
  readonly status: string;
}

/** The lock file of a socket. The port is part of both names. */
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

/** Like `readPostmaster`, but undefined if that process has ended, is a zombie, or is another program by now. */
export function livePostmaster(files: ServerFiles): Postmaster | undefined {
  const postmaster = readPostmaster(files);
  return postmaster && serves(postmaster.pid, files) ? postmaster : undefined;
}

/**
 * Removes the `postmaster.pid` of a dead server, and the lock of its socket. Postgres does so itself, except if another
 * process has its id by now (after a restart of a container, probably this one), or if the dead server is a zombie. If
 * children of the dead server still use the data, its shared memory, keyed by the data's inode, blocks the next start.
 */
export function removeStalePostmaster(files: ServerFiles): void {
  const [first = ''] = readText(postmasterFile(files)).split('\n', 1);
  if (serves(Number(first), files)) return;
  fs.rmSync(postmasterFile(files), { force: true });
  for (const name of fs.readdirSync(files.data))
    if (socketLock.test(name)) fs.rmSync(path.join(files.data, name), { force: true });
}

/** True if this process is a Postgres of this data. */
function serves(pid: number, { data }: ServerFiles): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const command = commandOf(pid);
  // `ps` may spell the path differently.
  return process.platform === 'linux' ? command.includes(`-D ${data} -p `) : /\bpostgres\b/.test(command);
}

/** The command line of a process; `""` if it has none, such as a zombie. */
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
    // The process may end before its command line is read.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}
