import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';

/** A second Postgres server. It has another version than the tests' server if Debian's packages are installed. */
export interface SecondServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Postgres does not run as root, so root starts it as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Starts Debian's newest Postgres in a temporary folder, or another embedded Postgres if Debian's is not installed. */
export async function openSecondServer(): Promise<SecondServer> {
  const versions = globSync('/usr/lib/postgresql/*/bin/initdb').map((found) => Number(found.split('/')[4]));
  const debian = await openDebianServer(Math.max(...versions));
  if (debian) return debian;
  console.warn("Debian's Postgres is not installed. The second server is an embedded Postgres.");
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-second-'));
  const server = await openEmbedded(path.join(folder, 'home'), (line) => console.error(line));
  const close = async () => {
    await server.leave();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { url: server.url, close };
}

/**
 * Starts Debian's Postgres of a major version in a temporary folder.
 * @param settings the server's own, by their names
 * @returns undefined if that version is not installed
 */
export async function openDebianServer(
  version: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<SecondServer | undefined> {
  const binaries = `/usr/lib/postgresql/${version}/bin`;
  if (!existsSync(path.join(binaries, 'initdb'))) return undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-second-'));
  chmodSync(folder, 0o755);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const initdb = [
    '-D',
    data,
    '--username=parley',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  execFileSync(path.join(binaries, 'initdb'), initdb, { ...user, cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const given = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ...settings,
  };
  const server = spawn(
    path.join(binaries, 'postgres'),
    [
      '-D',
      data,
      '-p',
      `${port}`,
      ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  const url = `postgres://parley@127.0.0.1:${port}/postgres`;
  const close = async () => {
    const gone = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGINT')) await gone;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  for (let attempt = 0; ; attempt++)
    try {
      await connectTo(url);
      return { url, close };
    } catch (error) {
      if (attempt === 100 || server.exitCode !== null) {
        await close();
        throw error;
      }
      await sleep(100);
    }
}

async function connectTo(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

/** Returns a free port on 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
