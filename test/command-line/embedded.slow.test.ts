import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeFileLock } from '../../src/postgres/embedded/lock.ts';
import { freePort, launcher, parley, start } from '../helpers/parley.ts';
import {
  deadline,
  killServer,
  newHome,
  postmasterFile,
  serverPid,
  squat,
  usedHomes,
} from '../postgres/members.ts';

const usedHome = usedHomes();

/** A server on the embedded Postgres of a home. */
async function serve(home: string) {
  const port = String(await freePort());
  const running = start(['serve'], { PARLEY_HOME: home, PORT: port });
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${base}/healthz`)).status).toBe(200), deadline);
  const credentials = readFileSync(path.join(home, 'credentials.json'), 'utf8');
  const { key, projectId } = JSON.parse(credentials) as { key: string; projectId: string };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const flows = `${base}/v1/projects/${projectId}/flows`;
  return {
    running,
    base,
    list: () => fetch(flows, { headers }),
    read: (id: string) => fetch(`${base}/v1/flows/${id}`, { headers }),
    write: (name: string) =>
      fetch(flows, { method: 'POST', headers, body: JSON.stringify({ name, flowSchema: {} }) }),
  };
}

/** An MCP client of `parley mcp` on a home. */
async function mcp(home: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { PARLEY_HOME: home };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp'], env, stderr: 'ignore' }),
  );
  onTestFinished(() => client.close());
  return client;
}

const listProjects = async (client: Client) =>
  (await client.callTool({ name: 'list_projects', arguments: {} })).isError ?? false;

test('serve and mcp recover after a kill of the server whose port another program takes, and after a stop', async () => {
  const home = newHome();
  const server = await serve(home);
  const client = await mcp(home);
  expect(await listProjects(client)).toBe(false);
  const { id } = (await (await server.write('Before')).json()) as { id: string };

  const release = takeFileLock(path.join(home, 'start.lock'));
  const port = readFileSync(path.join(home, 'port'), 'utf8');
  killServer(home);
  await squat(`http://127.0.0.1:${port}`);
  // Both wait for the server, but not forever.
  const [failed, mcpFailed] = await Promise.all([server.write('Meanwhile'), listProjects(client)]);
  expect([failed.status, failed.headers.get('retry-after'), mcpFailed]).toEqual([500, '1', true]);
  expect((await fetch(`${server.base}/healthz`)).status).toBe(200);

  release?.();
  await vi.waitFor(async () => expect((await server.write('After')).status).toBe(201), deadline);
  expect(readFileSync(path.join(home, 'port'), 'utf8')).not.toBe(port);
  expect(await (await server.read(id)).json()).toMatchObject({ name: 'Before' });
  expect((await server.list()).status).toBe(200);
  await vi.waitFor(async () => expect(await listProjects(client)).toBe(false), deadline);

  const { code, stdout } = await parley(['stop'], { PARLEY_HOME: home });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/but processes \d+, \d+ still use it and will start it again/),
  ]);
  expect(stdout).toContain(String(server.running.child.pid));
  await vi.waitFor(async () => expect((await server.write('Again')).status).toBe(201), deadline);
  await vi.waitFor(async () => expect(await listProjects(client)).toBe(false), deadline);
  expect(server.running.stderr().match(/Postgres is back/g)).toHaveLength(2);
  expect(server.running.stderr()).not.toContain(readFileSync(path.join(home, 'password'), 'utf8'));

  await client.close();
  server.running.child.kill('SIGTERM');
  expect((await server.running.ended).code).toBe(0);
  expect(serverPid(home)).toBeUndefined();
  expect((await parley(['stop'], { PARLEY_HOME: home })).stdout).toMatch(/was not running/);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s stops the server and its Postgres, although npm passes it on a second time',
  async (signal) => {
    const home = await usedHome();
    const { running } = await serve(home);
    const pressed = performance.now();
    while (performance.now() - pressed < 50) running.child.kill(signal);
    expect((await running.ended).code).toBe(0);
    expect(existsSync(postmasterFile(home))).toBe(false);
  },
);

test('a server that ends reports the other processes that use its Postgres', async () => {
  const home = await usedHome();
  const [first, second] = [await serve(home), await serve(home)];
  first.running.child.kill('SIGINT');
  const { code, stdout } = await first.running.ended;
  expect(code).toBe(0);
  expect(stdout).toContain(
    `The embedded Postgres keeps running, because other processes use it (${second.running.child.pid}).`,
  );
  second.running.child.kill('SIGINT');
  expect((await second.running.ended).stdout).not.toContain('keeps running');
});

test('stop ends a server that no process uses', async () => {
  const home = await usedHome();
  const { running } = await serve(home);
  running.child.kill('SIGKILL');
  await running.ended;
  expect(existsSync(postmasterFile(home))).toBe(true);
  expect((await parley(['stop'], { PARLEY_HOME: home })).stdout).toMatch(/is stopped/);
  expect(existsSync(postmasterFile(home))).toBe(false);
});

test.each<[string, RegExp, (home: string) => void]>([
  [
    'a newer Postgres',
    /of Postgres 99, .*parley export FILE.*parley import FILE/,
    (home) => data(home, '99'),
  ],
  ['an older Postgres', /of Postgres 9, .*parley export FILE.*parley import FILE/, (home) => data(home, '9')],
  ['a file', /cannot be used.*set PARLEY_HOME/, (home) => writeFileSync(home, '')],
  // Node.js reports a read-only disk with the same error.
  ['a link to nowhere', /cannot be made: set PARLEY_HOME/, (home) => symlinkSync(`${home}-missing`, home)],
])('rejects %s as PARLEY_HOME in one line with a remedy', async (_, says, arrange) => {
  const home = newHome();
  arrange(home);
  const { code, stdout, stderr } = await parley(['serve'], { PARLEY_HOME: home });
  expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toStrictEqual({
    code: 1,
    stdout: '',
    lines: 2,
  });
  expect(stderr).toMatch(/^parley: /);
  expect(stderr).toMatch(says);
});

test('reports a wrong password of the database in one line', async () => {
  const home = await usedHome();
  const { running } = await serve(home);
  writeFileSync(path.join(home, 'password'), 'another');
  const { code, stderr } = await parley(['whoami'], { PARLEY_HOME: home });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^parley: the password in .*: put the file back\n$/),
  ]);
  running.child.kill('SIGKILL');
  await running.ended;
});

test('a start renames a long log', async () => {
  const home = await usedHome();
  const log = path.join(home, 'server.log');
  writeFileSync(log, 'x'.repeat(1_048_577));
  expect((await parley(['migrate'], { PARLEY_HOME: home })).code).toBe(0);
  expect(readFileSync(`${log}.1`, 'utf8')).toHaveLength(1_048_577);
  expect(readFileSync(log, 'utf8')).toContain('ready to accept connections');
});

/** Makes a folder that looks like the data of a Postgres. */
function data(home: string, major: string): void {
  mkdirSync(path.join(home, 'postgres'), { recursive: true });
  writeFileSync(path.join(home, 'postgres/PG_VERSION'), `${major}\n`);
}
