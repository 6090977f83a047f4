import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installedPackage } from '../../db/embedded-binaries.ts';
import { codeOf } from '../../errors.ts';
import { type Finding, ok, problem } from './finding.ts';

const oldestNode = [22, 19] as const;
/** No clock of a machine that runs this is right about an earlier day. */
const earliest = Date.UTC(2026, 0, 1);

/** The Node.js that runs this. */
export function nodeVersion(): Finding[] {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldMajor, oldMinor] = oldestNode;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return [ok(`Node.js ${node}`)];
  return [
    problem(`Node.js ${node} is too old`, `run npm ci, or install Node.js ${oldestNode.join('.')} or newer`),
  ];
}

/** The clock, by itself; beside a database on another machine it is compared with that one's. */
export function clock(): Finding[] {
  const now = new Date();
  if (now.getTime() >= earliest) return [ok(`the clock says ${now.toISOString()}`)];
  return [problem(`the clock says ${now.toISOString()}`, 'set it: keys and deadlines depend on it')];
}

/** Whether the embedded Postgres of this machine is installed and runs. */
export function binaries(): Finding[] {
  const { folder, version } = installedPackage();
  try {
    execFileSync(path.join(folder, 'native/bin/postgres'), ['--version'], {
      stdio: 'ignore',
      timeout: 10_000,
    });
    return [ok(`Postgres ${version} is installed`)];
  } catch (error) {
    if (!fs.existsSync(path.join(folder, 'native/lib/libpq.so')) && process.platform === 'linux')
      return [ok(`Postgres ${version} is installed; the first start makes its library links`)];
    const why = codeOf(error) === 'ENOENT' ? 'it needs the C library glibc' : 'run npm ci again';
    return [problem(`Postgres ${version} is installed and does not run here`, `${why}, or set DATABASE_URL`)];
  }
}

/** Whether Postgres can make a database as this user. */
export function passwdEntry(uid: number | undefined): Finding[] {
  if (uid === undefined) return [];
  if (hasPasswdEntry(uid)) return [ok(`uid ${uid}, which runs Postgres, has an entry in /etc/passwd`)];
  return [
    problem(
      `uid ${uid}, which runs Postgres, has no entry in /etc/passwd, and Postgres makes no database without one`,
      'add it, run Parley as another user, or set DATABASE_URL',
    ),
  ];
}

function hasPasswdEntry(uid: number): boolean {
  try {
    if (uid === process.getuid?.()) return os.userInfo().uid === uid;
    // Not every user stands in the file: systems make up some.
    execFileSync('id', ['-un', `${uid}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
