import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { stopEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { takeFileLock } from '../../src/postgres/embedded/lock.ts';
import { commandOf } from '../../src/postgres/embedded/postmaster.ts';
import {
  deadline,
  join,
  kill,
  killServer,
  postmasterFile,
  query,
  serverPid,
  squat,
  untilBack,
  usedHomes,
} from './members.ts';

const usedHome = usedHomes();

test('members restart a killed server once, at the same address, and the last one stops it', async () => {
  const home = await usedHome();
  const members = await Promise.all([join(home), join(home), join(home)]);
  const [{ url }] = members;
  await query(url, 'create table note as select 42 as number');
  killServer(home);

  const states = await Promise.all(members.map(untilBack));
  expect(new Set(states.map((state) => state.url))).toEqual(new Set([url]));
  const started = states.flatMap(({ said }) => said).filter((line) => line.includes('started again'));
  expect(started).toEqual([expect.stringContaining('had been killed')]);
  expect(await query(url, 'select number from note')).toBe(42);

  const [first, second, third] = members;
  await first.leave();
  await second.leave();
  expect(await query(url, 'select number from note')).toBe(42);
  await third.leave();
  expect(serverPid(home)).toBeUndefined();
});

test('a member notices that its server restarted at another address', async () => {
  const home = await usedHome();
  const member = await join(home);
  await query(member.url, 'create table note as select 42 as number');
  const release = await vi.waitFor(() => lock(home), deadline);
  killServer(home);
  await squat(member.url);
  release();

  const { url } = await untilBack(member);
  expect(url).not.toBe(member.url);
  expect(await query(url, 'select number from note')).toBe(42);
});

test('a member restarts a stopped server, and logs that someone stopped it', async () => {
  const home = await usedHome();
  const member = await join(home);
  expect(await stopEmbedded(home)).toEqual([member.child.pid]);

  const { said } = await untilBack(member);
  expect(said).toEqual([
    expect.stringContaining('was lost'),
    expect.stringMatching(/had been stopped, and this process, which uses it, started it again/),
  ]);
});

test('a member that leaves after the server is lost does not restart it', async () => {
  const home = await usedHome();
  const member = await join(home);
  const release = await vi.waitFor(() => lock(home), deadline);
  killServer(home);
  await vi.waitFor(async () => expect((await member.ask()).isThere).toBe(false), deadline);
  const { left } = await member.beginLeaving();
  release();
  expect((await left).said).toEqual([expect.stringContaining('was lost')]);
  expect(await stopEmbedded(home)).toBeUndefined();
});

test('a running process does not recreate data that was removed', async () => {
  const home = await usedHome();
  const member = await join(home);
  const data = path.join(home, 'postgres');
  fs.renameSync(data, `${data}.away`);
  process.kill(Number(fs.readFileSync(`${data}.away/postmaster.pid`, 'utf8').split('\n')[0]), 'SIGKILL');
  await vi.waitFor(async () => expect((await member.ask()).said).toHaveLength(2), deadline);
  const { said, isThere } = await member.ask();
  expect([said[1], isThere]).toEqual([expect.stringMatching(/not back yet \(.*is gone/), false]);
  expect(fs.existsSync(data)).toBe(false);

  fs.renameSync(`${data}.away`, data);
  await untilBack(member);
});

test('a server starts despite a damaged postmaster.pid, or one with the number of another process', async () => {
  const home = await usedHome();
  let member = await join(home);
  await query(member.url, 'create table note as select 42 as number');
  const [, ...rest] = fs.readFileSync(postmasterFile(home), 'utf8').split('\n');
  for (const left of ['', '12', [process.pid, ...rest].join('\n')]) {
    await kill(member.child);
    await stopEmbedded(home);
    fs.writeFileSync(postmasterFile(home), left);
    expect(await stopEmbedded(home)).toBeUndefined();
    member = await join(home);
    expect(member.how).toBe('started');
  }
  expect(await query(member.url, 'select number from note')).toBe(42);
});

test('a server starts although the killed one is still a zombie', async () => {
  const home = await usedHome();
  const starter = await join(home);
  // A stopped parent reaps no children, like process 1 of many containers.
  starter.child.kill('SIGSTOP');
  const pid = serverPid(home);
  killServer(home);
  await vi.waitFor(() => expect(commandOf(pid ?? 0)).toBe(''), deadline);
  expect(() => process.kill(pid ?? 0, 0)).not.toThrow();

  const next = await join(home);
  expect([next.how, next.url]).toEqual(['started', starter.url]);
  expect(serverPid(home)).not.toBe(pid);
});

/** Takes the start lock, so that no process can start the server. */
function lock(home: string): () => void {
  const release = takeFileLock(path.join(home, 'start.lock'));
  if (release === undefined) throw new Error('the start lock is taken');
  return release;
}
