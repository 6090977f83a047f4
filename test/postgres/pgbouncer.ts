import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fencesOf } from '../docs/fences.ts';
import { findProgram } from '../helpers/find-program.ts';
import { query } from '../helpers/parley.ts';
import { freePort } from '../helpers/second-server.ts';

/** PgBouncer does not run as root, so root starts it as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The only block of this language in the guide. */
function fromGuide(language: string): string {
  const [block, ...others] = fencesOf('docs/guides/operating.md').filter(({ info }) => info === language);
  if (!block || others.length > 0) throw new Error(`the guide has not one block of ${language}`);
  return block.text;
}

/** The path of an installed PgBouncer, or undefined. */
export function findPgBouncer(): string | undefined {
  return findProgram(['pgbouncer'], ['/usr/sbin', '/usr/local/sbin']);
}

/** Whether a PgBouncer can keep the names of prepared statements: from 1.21 on. */
export function mayKeepNames(executable: string): boolean {
  const printed = execFileSync(executable, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /^PgBouncer (\d+)\.(\d+)/.exec(printed) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Sets the time limits of the guide for the role of this URL, in its database only. */
export async function setTimeLimits(url: string): Promise<void> {
  const { username, pathname } = new URL(url);
  const role = `alter role ${username} in database ${pathname.slice(1)} set`;
  await query(url, fromGuide('sql').replaceAll('alter role parley set', role));
}

/**
 * Starts PgBouncer with the settings of the guide before a database. The pool has four connections and, as in the guide,
 * transaction mode.
 * @param change changes the text of the settings
 */
export async function openBouncer(
  executable: string,
  databaseUrl: string,
  change: (settings: string) => string = (settings) => settings,
): Promise<{ url: string; close(): Promise<void> }> {
  const { username, password, port, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-pgbouncer-'));
  const ownPort = await freePort();
  const users = path.join(folder, 'userlist.txt');
  const settings = fromGuide('ini')
    .replace('parley = host=127.0.0.1 port=5432', `parley = host=127.0.0.1 port=${port}`)
    .replace('dbname=parley', `dbname=${pathname.slice(1)}`)
    .replace('listen_port = 6432', `listen_port = ${ownPort}`)
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('default_pool_size = 20', 'default_pool_size = 4\nunix_socket_dir =');
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(file, change(settings));
  writeFileSync(users, `"${username}" "${password}"\n`);
  chmodSync(folder, 0o700);
  if (user.uid !== undefined) for (const own of [folder, file, users]) chownSync(own, user.uid, user.gid);
  const bouncer = spawn(executable, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => bouncer.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(bouncer, 'exit');
  const close = async () => {
    process.off('exit', end);
    end();
    await gone;
    rmSync(folder, { recursive: true });
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const lines = createInterface({ input: bouncer.stderr });
  // Reads to the end, because the process would block on a full pipe.
  lines.on('line', (line) => {
    console.log(line);
    if (line.includes('process up')) resolve();
  });
  lines.once('close', () => reject(new Error('PgBouncer ended')));
  await promise.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { url: `postgres://${username}:${password}@127.0.0.1:${ownPort}/parley`, close };
}
