import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codeOf } from '../../../platform/errors.ts';
import { installedPackage } from '../../../postgres/embedded/binaries.ts';
import { type Finding, ok, problem } from './finding.ts';

const oldestNode = [22, 19] as const;
/** A clock that shows an earlier day is wrong. */
const earliest = Date.UTC(2026, 0, 1);

/** Checks the version of Node.js. */
export function nodeVersion(): Finding[] {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldMajor, oldMinor] = oldestNode;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return [ok(`Node.js ${node}`)];
  return [
    problem(`Node.js ${node} is too old`, `run npm ci, or install Node.js ${oldestNode.join('.')} or newer`),
  ];
}

/** Checks the clock by itself; `postgresItself` compares it with the database's. */
export function clock(): Finding[] {
  const now = new Date();
  if (now.getTime() >= earliest) return [ok(`the clock shows ${now.toISOString()}`)];
  return [problem(`the clock shows ${now.toISOString()}`, 'set it: keys and deadlines depend on it')];
}

/** Checks that the embedded Postgres is installed and runs on this machine. */
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
      return [ok(`Postgres ${version} is installed; the first start links its libraries`)];
    const why = codeOf(error) === 'ENOENT' ? 'it needs the C library glibc' : 'run npm ci again';
    return [problem(`Postgres ${version} is installed but does not run here`, `${why}, or set DATABASE_URL`)];
  }
}

/** Checks that Postgres can create a database as this user. */
export function passwdEntry(uid: number | undefined): Finding[] {
  if (uid === undefined) return [];
  if (hasPasswdEntry(uid)) return [ok(`uid ${uid}, which runs Postgres, has an entry in /etc/passwd`)];
  return [
    problem(
      `uid ${uid}, which runs Postgres, has no entry in /etc/passwd, and Postgres creates no database without one`,
      'add it, run Parley as another user, or set DATABASE_URL',
    ),
  ];
}

function hasPasswdEntry(uid: number): boolean {
  try {
    if (uid === process.getuid?.()) return os.userInfo().uid === uid;
    // Not every user is in the file: some come from a directory service.
    execFileSync('id', ['-un', `${uid}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
