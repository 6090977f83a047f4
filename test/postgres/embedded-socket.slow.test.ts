import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serverUser } from '../../src/postgres/embedded/user.ts';
import { join, kill, killServer, newHome, query, serverPid, usedHomes } from './members.ts';

const usedHome = usedHomes();

/** Returns the client address that the server sees; `null` for a Unix socket. */
const clientAddress = (url: string) => query(url, 'select inet_client_addr()::text');
const hostOf = (url: string) => new URL(url).searchParams.get('host');
const socketsIn = (folder: string) => fs.readdirSync(folder).filter((name) => name.startsWith('.s.PGSQL.'));

test('the server has a socket in its data folder, which only its user can open', async () => {
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

test('the server has a socket if the path of its folder has special characters', async () => {
  const home = path.join(newHome(), `a, "b" & 'c'?`);
  const { url } = await join(home);
  expect(hostOf(url)).toBe(path.join(home, 'postgres'));
  expect(await clientAddress(url)).toBeNull();
});

test('the server also accepts connections over TCP', async () => {
  const { url } = await join(await usedHome());
  const { port, password } = new URL(url);
  const byTcp = `postgres://parley:${password}@127.0.0.1:${port}/postgres`;
  expect(await clientAddress(byTcp)).toBe('127.0.0.1/32');
});

test('the server uses only TCP if the path of its data is too long for a socket', async () => {
  const home = path.join(newHome(), 'a,"deep" one'.repeat(8));
  const { url } = await join(home);
  expect(hostOf(url)).toBeNull();
  expect(await clientAddress(url)).toBe('127.0.0.1/32');
});

test('the server uses only TCP if the file system cannot create a socket', async () => {
  const home = await usedHome();
  const port = fs.readFileSync(path.join(home, 'port'), 'utf8');
  // Postgres removes an old socket, but it cannot remove a folder, so it cannot create its socket.
  fs.mkdirSync(path.join(home, 'postgres', `.s.PGSQL.${port}`, 'full'), { recursive: true });
  const { url } = await join(home);
  expect(new URL(url).port).toBe(port);
  expect(await clientAddress(url)).toBe('127.0.0.1/32');
});

test('a server starts despite the socket lock of a killed one whose process number is in use again', async () => {
  const home = await usedHome();
  const member = await join(home);
  await kill(member.child);
  killServer(home);
  const data = path.join(home, 'postgres');
  const [lock = ''] = socketsIn(data).filter((name) => name.endsWith('.lock'));
  const killed = `${serverPid(home)}`;
  const text = fs.readFileSync(path.join(data, lock), 'utf8');
  // It runs as the server's user, because Postgres ignores processes of other users.
  const other = spawn('sleep', ['60'], { ...serverUser(data) });
  onTestFinished(() => void other.kill());
  fs.writeFileSync(path.join(data, lock), text.replace(killed, `${other.pid}`));

  const next = await join(home);
  expect(next.url).toBe(member.url);
  expect(await clientAddress(next.url)).toBeNull();
});
