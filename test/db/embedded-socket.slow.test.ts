import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serverUser } from '../../src/db/embedded-place.ts';
import { join, kill, killServer, newHome, query, serverPid, usedHomes } from './members.ts';

const usedHome = usedHomes();

/** Whence the server sees a session of this address come: `null` is through a Unix socket. */
const clientAddress = (url: string) => query(url, 'select inet_client_addr()::text');
const hostOf = (url: string) => new URL(url).searchParams.get('host');
const socketsIn = (folder: string) => fs.readdirSync(folder).filter((name) => name.startsWith('.s.PGSQL.'));

test('the server is reached by a socket in its data, which is closed to everyone else', async () => {
  const home = await usedHome();
  const member = await join(home);
  const data = path.join(home, 'postgres');
  expect(hostOf(member.url)).toBe(data);
  expect(await clientAddress(member.url)).toBeNull();
  expect(fs.statSync(data).mode & 0o077).toBe(0);
  const url = new URL(member.url);
  await expect(query(Object.assign(url, { password: 'guessed' }).href, 'select 1')).rejects.toThrow(
    'password',
  );

  await member.leave();
  expect(socketsIn(data)).toEqual([]);
});

test('whatever characters are in the name of its folder', async () => {
  const home = path.join(newHome(), `a, "b" & 'c'?`);
  const { url } = await join(home);
  expect(hostOf(url)).toBe(path.join(home, 'postgres'));
  expect(await clientAddress(url)).toBeNull();
});

test('and by TCP too, by those who know no sockets', async () => {
  const { url } = await join(await usedHome());
  const { port, password } = new URL(url);
  const byTcp = `postgres://parley:${password}@127.0.0.1:${port}/postgres`;
  expect(await clientAddress(byTcp)).toBe('127.0.0.1/32');
});

test('by TCP alone where its data lies too deep for a socket', async () => {
  const home = path.join(newHome(), 'a,"deep" one'.repeat(8));
  const { url } = await join(home);
  expect(hostOf(url)).toBeNull();
  expect(await clientAddress(url)).toBe('127.0.0.1/32');
});

test('by TCP alone where the file system makes no socket', async () => {
  const home = await usedHome();
  const port = fs.readFileSync(path.join(home, 'port'), 'utf8');
  // It is in the way as the file system would be: Postgres removes an old socket, and cannot remove a folder.
  fs.mkdirSync(path.join(home, 'postgres', `.s.PGSQL.${port}`, 'full'), { recursive: true });
  const { url } = await join(home);
  expect(new URL(url).port).toBe(port);
  expect(await clientAddress(url)).toBe('127.0.0.1/32');
});

test('what a killed server left of its socket keeps nobody out, whatever process has its number now', async () => {
  const home = await usedHome();
  const member = await join(home);
  await kill(member.child);
  killServer(home);
  const data = path.join(home, 'postgres');
  const [lock = ''] = socketsIn(data).filter((name) => name.endsWith('.lock'));
  const killed = `${serverPid(home)}`;
  const text = fs.readFileSync(path.join(data, lock), 'utf8');
  // Of the server's user: Postgres heeds no others.
  const other = spawn('sleep', ['60'], serverUser);
  onTestFinished(() => void other.kill());
  fs.writeFileSync(path.join(data, lock), text.replace(killed, `${other.pid}`));

  const next = await join(home);
  expect(next.url).toBe(member.url);
  expect(await clientAddress(next.url)).toBeNull();
});
