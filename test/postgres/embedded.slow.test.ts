import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { openEmbedded, stopEmbedded } from '../../src/postgres/embedded/embedded.ts';
import {
  deadline,
  join,
  kill,
  killServer,
  newHome,
  query,
  serverPid,
  squat,
  startMember,
  usedHomes,
} from './members.ts';

const usedHome = usedHomes();

test('one of four processes that start at once starts the server, and all share it', async () => {
  const home = newHome();
  const members = await Promise.all([join(home), join(home), join(home), join(home)]);
  expect(members.map(({ how }) => how).toSorted()).toEqual(['attached', 'attached', 'attached', 'started']);
  expect(new Set(members.map(({ url }) => url)).size).toBe(1);

  const servers = await Promise.all(
    members.map(({ url }) =>
      query(url, `select pg_postmaster_start_time()::text || current_setting('data_directory')`),
    ),
  );
  expect(new Set(servers).size).toBe(1);

  const [first, ...others] = members.map(({ url }) => url);
  await query(first, `create table note as select 'für' as text`);
  for (const url of others) expect(await query(url, 'select upper(text) from note')).toBe('FÜR');
});

test('the server keeps running if one member leaves, and stops when the last one leaves', async () => {
  const home = await usedHome();
  const members = await Promise.all([join(home), join(home), join(home)]);
  const [first, second, third] = members;
  const pid = serverPid(home);

  await first?.leave();
  await second?.leave();
  expect(serverPid(home)).toBe(pid);
  expect(await query(third?.url, 'select 1')).toBe(1);

  await third?.leave();
  expect(serverPid(home)).toBeUndefined();
});

test('members that leave at the same time stop the server once without an error', async () => {
  const home = await usedHome();
  const members = await Promise.all([join(home), join(home), join(home), join(home)]);

  const left = await Promise.all(members.map((member) => member.leave()));
  expect(left.flatMap(({ said }) => said).filter((line) => line.includes('was lost'))).toEqual([]);
  expect(serverPid(home)).toBeUndefined();
});

test('the server stops although some members were killed', async () => {
  const home = await usedHome();
  const [last, ...others] = await Promise.all([join(home), join(home), join(home), join(home), join(home)]);

  await Promise.all(others.map(({ child }) => kill(child)));
  await last?.leave();
  expect(serverPid(home)).toBeUndefined();
});

test('the last member waits until the session of a killed process has ended', async () => {
  const home = await usedHome();
  const member = await join(home);
  // A lease is named after a process. No process has a number this high.
  const left = new pg.Client({ connectionString: member.url, application_name: 'parley lease 4194305' });
  left.on('error', () => undefined);
  await left.connect();
  await left.query('select pg_advisory_lock_shared(727002)');

  const leaving = member.leave();
  // The member gives up its own lease before it waits for that of the session.
  const leases = `select count(*)::int from pg_locks where locktype = 'advisory' and objid = 727002`;
  await vi.waitFor(async () => {
    const { rows } = await left.query<{ count: number }>(leases);
    expect(rows).toEqual([{ count: 1 }]);
  }, deadline);
  expect(serverPid(home)).toBeDefined();
  await left.end();
  await leaving;
  expect(serverPid(home)).toBeUndefined();
});

test('a restarted server has the same data, password and port', async () => {
  const home = await usedHome();
  const before = await join(home);
  await query(before.url, 'create table note as select 42 as number');
  await before.leave();

  const after = await join(home);
  expect(after.how).toBe('started');
  expect(after.url).toBe(before.url);
  expect(await query(after.url, 'select number from note')).toBe(42);
});

test('a stop names the processes that use the server, and does nothing if no server runs', async () => {
  const home = await usedHome();
  const members = [await join(home), await join(home)];
  // A halted member does not restart the server.
  for (const { child } of members) child.kill('SIGSTOP');
  const users = await stopEmbedded(home);
  expect(new Set(users)).toEqual(new Set(members.map(({ child }) => child.pid)));
  expect(serverPid(home)).toBeUndefined();
  expect(await stopEmbedded(home)).toBeUndefined();
  expect(await stopEmbedded(path.join(home, 'missing'))).toBeUndefined();
});

test('the next process restarts a killed server, on another port if its own is taken', async () => {
  const home = await usedHome();
  const member = await join(home);
  await query(member.url, 'create table note as select 42 as number');
  await kill(member.child);
  killServer(home);
  await squat(member.url);

  const next = await join(home);
  expect(next.how).toBe('started');
  expect(next.url).not.toBe(member.url);
  expect(await query(next.url, 'select number from note')).toBe(42);
});

test('a server starts after an earlier start was killed halfway', async () => {
  const home = newHome();
  fs.mkdirSync(path.join(home, 'postgres.fresh-earlier'), { recursive: true });
  const child = startMember(home);
  while (!fs.readdirSync(home).some((name) => name.endsWith('.password'))) await sleep(5);
  await kill(child);

  expect((await join(home)).how).toBe('started');
  expect(fs.readdirSync(home)).not.toContain('postgres.fresh-earlier');
});

test('a server that cannot start is reported in one line that names its log', async () => {
  const home = newHome();
  fs.mkdirSync(path.join(home, 'postgres'), { recursive: true });
  fs.writeFileSync(path.join(home, 'postgres/PG_VERSION'), '18\n');

  await expect(openEmbedded(home, () => {})).rejects.toThrow(
    /^the embedded Postgres did not come up \(.*postgresql\.conf.*\): look at .*\/home\/server\.log$/,
  );
});
