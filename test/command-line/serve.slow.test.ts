import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { freePort, newHome, parley, query, type Running, start } from '../helpers/parley.ts';

interface Served extends Running {
  readonly base: string;
  readonly databaseUrl: string;
  readonly home: string;
}

const deadline = { timeout: 15_000, interval: 20 };

/** A listening server on its own database. */
async function serve(args: readonly string[] = [], more: Record<string, string> = {}): Promise<Served> {
  const { url: databaseUrl, drop } = await cloneDatabase();
  onTestFinished(drop);
  const [port, home] = [await freePort(), newHome()];
  const env = { DATABASE_URL: databaseUrl, PARLEY_HOME: home, PORT: String(port), ...more };
  const running = start(['serve', ...args], env);
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${base}/healthz`)).status).toBe(200), deadline);
  return { ...running, base, databaseUrl, home };
}

const credentialsOf = async ({ databaseUrl, home }: Served) => {
  const { stdout } = await parley(['whoami', '--json'], { DATABASE_URL: databaseUrl, PARLEY_HOME: home });
  return JSON.parse(stdout) as { key: string; projectId: string };
};

/** A change of the demo's flow that waits for a lock until `release` is called. */
async function slowChange(server: Served) {
  const { key } = await credentialsOf(server);
  const holder = new pg.Client({ connectionString: server.databaseUrl });
  // If the test fails, the database is dropped while this connection is open.
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  const { rows } = await holder.query('select id from flows for update');
  const answer = fetch(`${server.base}/v1/flows/${rows[0].id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Slow' }),
  });
  // If the server is killed, there is no response. Tests that expect one await it.
  answer.catch(() => undefined);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await query(server.databaseUrl, waiting)).toHaveLength(1), deadline);
  const release = async () => {
    await holder.query('commit');
    await holder.end();
  };
  return { answer, release };
}

/** Waits until the server accepts no new connections. */
const untilClosed = (base: string) =>
  vi.waitFor(async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const connected = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    expect(connected).toBe(false);
  }, deadline);

describe('serve', () => {
  test('makes the demo on an empty database, prints where it is, and serves it over REST and MCP', async () => {
    const server = await serve();
    const { key, projectId } = await credentialsOf(server);
    const authorization = `Bearer ${key}`;
    const flows = await fetch(`${server.base}/v1/projects/${projectId}/flows`, {
      headers: { authorization },
    });
    expect(await flows.json()).toMatchObject({ flows: [{ name: 'Reception' }] });
    const listed = await fetch(`${server.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(await listed.text()).toContain('"create_flow"');
    await vi.waitFor(() => expect(server.stdout()).toContain(projectId), deadline);
    expect(server.stdout()).toContain(`listens on ${server.base}`);
    expect(server.stdout()).toContain(path.join(server.home, 'credentials.json'));
    expect(server.stdout() + server.stderr()).not.toContain(key);
  });

  test('makes no demo with --no-demo', async () => {
    const server = await serve(['--no-demo']);
    expect(existsSync(path.join(server.home, 'credentials.json'))).toBe(false);
    expect(await query(server.databaseUrl, 'select 1 from organizations')).toStrictEqual([]);
  });

  test.each([
    ['bounds its young generation', {}, true],
    ['keeps the bound that the operator gives', { NODE_OPTIONS: '--max-semi-space-size=4' }, false],
  ])('%s', async (_title, env: Record<string, string>, isBounded) => {
    const { child } = await serve(['--no-demo'], env);
    const command = execFileSync('ps', ['-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' });
    expect(command.includes('--max-semi-space-size=16')).toBe(isBounded);
    expect(command).toContain('serve --no-demo');
  });

  test('deletes expired trash, and stored responses after a day', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const project = `insert into organizations values ('cog000000', 'O');
      insert into projects (id, organization_id, name) values ('cpr000000', 'cog000000', 'P');`;
    await query(
      url,
      `${project}
       insert into trash select 'cpr000000', id, 'flow', 'cfl000000', id, '{}', now(), now() + age
         from (values ('expired', interval '-1 second'), ('kept', interval '1 hour')) as entry (id, age);
       insert into idempotency_keys select 'cpr000000', 'create_flow', key, 'hash', '{}', now() - age
         from (values ('expired', interval '25 hours'), ('kept', interval '23 hours')) as entry (key, age);`,
    );
    start(['serve'], { DATABASE_URL: url, PARLEY_HOME: newHome(), PORT: String(await freePort()) });
    const left = () => query(url, 'select id from trash union all select key from idempotency_keys');
    await vi.waitFor(
      async () => expect(await left()).toStrictEqual([{ id: 'kept' }, { id: 'kept' }]),
      deadline,
    );
  });

  test.each([
    ['postgres://parley@127.0.0.1:1/none', 'ECONNREFUSED'],
    ['postgres://parley@localhost/none?host=/nowhere', 'ENOENT'],
  ])('reports a database that cannot be reached in one line: %s', async (address, code) => {
    const outcome = await parley(['serve'], { DATABASE_URL: address, PARLEY_HOME: newHome() });
    expect(outcome.code).toBe(1);
    // Log lines may precede or follow it.
    expect(outcome.stderr.split('\n')).toContain(
      `parley: The database in DATABASE_URL cannot be used (${code}). Start it, or correct DATABASE_URL.`,
    );
  });

  test('reports in one line that its port is in use, and exits with status 1', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void taken.close());
    const outcome = await parley(['serve'], {
      DATABASE_URL: url,
      PARLEY_HOME: newHome(),
      PORT: String(port),
    });
    expect(outcome).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `parley: Port ${port} of 127.0.0.1 is in use. Set PORT, or stop the other process.\n`,
    });
  });

  test.each([
    ['192.0.2.1', 'No network interface of this machine has the address 192.0.2.1.'],
    ['nowhere.invalid', 'There is no host nowhere.invalid.'],
  ])('reports in one line that it cannot listen on %s, and exits with status 1', async (host, reason) => {
    const { url: DATABASE_URL, drop } = await cloneDatabase();
    onTestFinished(drop);
    const { code, stdout, stderr } = await parley(['serve'], {
      DATABASE_URL,
      PARLEY_HOME: newHome(),
      HOST: host,
    });
    expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toStrictEqual({
      code: 1,
      stdout: '',
      lines: 2,
    });
    expect(stderr).toContain(`parley: ${reason} Set HOST to`);
  });

  test('prints the port that the system chose for PORT=0', async () => {
    const { url: DATABASE_URL, drop } = await cloneDatabase();
    onTestFinished(drop);
    const home = newHome();
    const running = start(['serve'], { DATABASE_URL, PARLEY_HOME: home, PORT: '0' });
    await vi.waitFor(
      () => expect(running.stdout()).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+ /),
      deadline,
    );
    const [base = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(running.stdout()) ?? [];
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect(readFileSync(path.join(home, 'credentials.json'), 'utf8')).toContain(`"${base}"`);
  });
});

describe('serve in production', () => {
  test('reports in one line which variable is missing', async () => {
    const base = { NODE_ENV: 'production', PARLEY_HOME: newHome() };
    const database = { DATABASE_URL: 'postgres://127.0.0.1:1/nobody' };
    for (const [name, more] of [
      ['DATABASE_URL', { PARLEY_SECRET_KEY: 'x'.repeat(32) }],
      ['DATABASE_URL', { DATABASE_URL: '', PARLEY_SECRET_KEY: 'x'.repeat(32) }],
      ['PARLEY_SECRET_KEY', database],
      ['PARLEY_SECRET_KEY', { ...database, PARLEY_SECRET_KEY: '' }],
    ] as const)
      expect(await parley(['serve'], { ...base, ...more })).toStrictEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^parley: ${name} is required.*\n$`)),
      });
  });

  test('makes no demo, and reports as JSON on stderr that it listens', async () => {
    const server = await serve([], { NODE_ENV: 'production', PARLEY_SECRET_KEY: 'x'.repeat(32) });
    expect(await query(server.databaseUrl, 'select 1 from organizations')).toStrictEqual([]);
    expect(existsSync(path.join(server.home, 'credentials.json'))).toBe(false);
    await vi.waitFor(() => expect(server.stderr()).toContain('listening'), deadline);
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    expect({ code, stdout }).toStrictEqual({ code: 0, stdout: '' });
    for (const line of stderr.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 30 });
  });
});

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends an idle server with exit status 0',
    async (signal) => {
      const server = await serve(['--no-demo']);
      // A keep-alive connection must not delay the end.
      await (await fetch(`${server.base}/healthz`)).text();
      server.child.kill(signal);
      const { code, stderr } = await server.ended;
      expect(code).toBe(0);
      // Only the log lines of requests.
      for (const line of stderr.split('\n').filter(Boolean))
        expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'request' });
    },
  );

  test('lets the current request finish, and accepts no new connection meanwhile', async () => {
    const server = await serve();
    const { answer, release } = await slowChange(server);
    server.child.kill('SIGTERM');
    await untilClosed(server.base);
    expect(server.child.exitCode).toBeNull();
    await release();
    const reply = await answer;
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ name: 'Slow' });
    expect((await server.ended).code).toBe(0);
    expect(await query(server.databaseUrl, 'select name from flows')).toStrictEqual([{ name: 'Slow' }]);
  });

  test('adds connection: close to the last responses', async () => {
    const server = await serve();
    const { answer, release } = await slowChange(server);
    server.child.kill('SIGTERM');
    await untilClosed(server.base);
    await release();
    expect((await answer).headers.get('connection')).toBe('close');
  });

  test('that follows another ends the server at once with exit status 1, and leaves nothing half done', async () => {
    const server = await serve();
    const { release } = await slowChange(server);
    server.child.kill('SIGTERM');
    await untilClosed(server.base);
    // Within half a second, the same signal counts once.
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(1);
    await release();
    expect(await query(server.databaseUrl, 'select name from flows')).toStrictEqual([{ name: 'Reception' }]);
  });

  test('during the start ends the server once it listens, with exit status 0', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const home = newHome();
    const server = start(['serve'], { DATABASE_URL: url, PARLEY_HOME: home, PORT: String(await freePort()) });
    const file = path.join(home, 'credentials.json');
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { ...deadline, interval: 1 });
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

test('two servers that start at once on an empty database make one demo and both serve it', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const home = newHome();
  const ports = [await freePort(), await freePort()];
  for (const port of ports) start(['serve'], { DATABASE_URL: url, PARLEY_HOME: home, PORT: String(port) });
  for (const port of ports)
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200),
      deadline,
    );
  expect(await query(url, 'select 1 from organizations')).toHaveLength(1);
  const { stdout } = await parley(['whoami', '--json'], { DATABASE_URL: url, PARLEY_HOME: home });
  const { key, projectId } = JSON.parse(stdout);
  for (const port of ports) {
    const reply = await fetch(`http://127.0.0.1:${port}/v1/projects/${projectId}`, {
      headers: { 'x-api-key': key },
    });
    expect(reply.status).toBe(200);
  }
});
