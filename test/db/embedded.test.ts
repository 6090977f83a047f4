import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { openEmbedded, stopEmbedded } from '../../src/db/embedded.ts';

interface Member {
  readonly child: ChildProcessWithoutNullStreams;
  readonly how: string;
  readonly url: string;
  leave(): Promise<{ said: string[] }>;
}

const script = fileURLToPath(new URL('embedded-member.ts', import.meta.url));
const homes: string[] = [];
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  for (const home of homes.splice(0)) {
    await stopEmbedded(home);
    fs.rmSync(path.dirname(home), { recursive: true, maxRetries: 5 });
  }
});

test('of four processes that come at once one starts the server, and all share it', async () => {
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

test('the server outlives a member that leaves, and ends with the last one', async () => {
  const home = newHome();
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

test('members that leave at the same time stop the server once, and none fails', async () => {
  const home = newHome();
  const members = await Promise.all([join(home), join(home), join(home), join(home)]);

  const left = await Promise.all(members.map((member) => member.leave()));
  expect(left.flatMap(({ said }) => said).filter((line) => line.includes('was lost'))).toEqual([]);
  expect(serverPid(home)).toBeUndefined();
});

test('killed members count as members that left', async () => {
  const home = newHome();
  const [last, ...others] = await Promise.all([join(home), join(home), join(home), join(home), join(home)]);

  for (const { child } of others) child.kill('SIGKILL');
  await last?.leave();
  expect(serverPid(home)).toBeUndefined();
});

test('a server that starts again has the data, the password and the port of before', async () => {
  const home = newHome();
  const before = await join(home);
  await query(before.url, 'create table note as select 42 as number');
  await before.leave();

  const after = await join(home);
  expect(after.how).toBe('started');
  expect(after.url).toBe(before.url);
  expect(await query(after.url, 'select number from note')).toBe(42);
});

test('stopEmbedded ends the server of members that hold leases, and they leave without an error', async () => {
  const home = newHome();
  const members = [await join(home), await join(home)];

  expect(await stopEmbedded(home)).toBe('stopped');
  expect(serverPid(home)).toBeUndefined();
  expect(await stopEmbedded(home)).toBe('not running');
  for (const member of members) {
    const { said } = await member.leave();
    expect(said.filter((line) => line.includes('was lost'))).toHaveLength(1);
  }
  expect(await stopEmbedded(path.join(home, 'missing'))).toBe('not running');
});

test('a server that was killed is started again by the next process, on another port where its own is taken', async () => {
  const home = newHome();
  const member = await join(home);
  await query(member.url, 'create table note as select 42 as number');
  process.kill(Number(serverPid(home)), 'SIGKILL');
  const squatter = await vi.waitFor(() => squat(new URL(member.url).port));

  const next = await join(home).finally(() => squatter.close());
  expect(next.how).toBe('started');
  expect(next.url).not.toBe(member.url);
  expect(await query(next.url, 'select number from note')).toBe(42);
});

test('a start that was killed half-way holds up nobody', async () => {
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
    /^The embedded Postgres did not come up \(.*postgresql\.conf.*\); look at .*\/home\/server\.log$/,
  );
});

/** A home that exists in name only, in a folder that everyone may enter, so that the server's data lies in it. */
function newHome(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-embedded-'));
  fs.chmodSync(folder, 0o755);
  const home = path.join(folder, 'home');
  homes.push(home);
  return home;
}

function startMember(home: string): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [script, home]);
  children.push(child);
  return child;
}

async function join(home: string): Promise<Member> {
  const child = startMember(home);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the member ended: ${complaint}`);
    return JSON.parse(value);
  };
  const { how, url } = await answer();
  const leave = async () => {
    child.stdin.write('leave\n');
    return answer();
  };
  return { child, how, url, leave };
}

async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The first value of the first row. */
async function query(url: string | undefined, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function serverPid(home: string): string | undefined {
  const file = path.join(home, 'postgres/postmaster.pid');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n')[0] : undefined;
}

async function squat(port: string): Promise<net.Server> {
  const server = net.createServer((socket) => socket.destroy()).listen(Number(port), '127.0.0.1');
  await once(server, 'listening');
  return server;
}
