import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { freePort, newHome, parley, query, type Running, start } from './parley.ts';

interface Served extends Running {
  readonly base: string;
  readonly databaseUrl: string;
  readonly home: string;
}

const deadline = { timeout: 15_000, interval: 20 };

/** A server that listens, on a database of its own. */
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

/** A change of the demo's flow that waits in the database until it is let go. */
async function slowChange(server: Served) {
  const { key } = await credentialsOf(server);
  const holder = new pg.Client({ connectionString: server.databaseUrl });
  // The database is dropped while this is open where a test fails.
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  const { rows } = await holder.query('select id from flows for update');
  const answer = fetch(`${server.base}/v1/flows/${rows[0].id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Slow' }),
  });
  // Where the server is ended by force there is no answer; a test that wants one awaits it.
  answer.catch(() => undefined);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await query(server.databaseUrl, waiting)).toHaveLength(1), deadline);
  const letGo = async () => {
    await holder.query('commit');
    await holder.end();
  };
  return { answer, letGo };
}

/** Waits until nobody listens any more; connections that are there already may live on. */
const refuses = (base: string) =>
  vi.waitFor(async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const connected = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    expect(connected).toBe(false);
  }, deadline);

describe('serve', () => {
  test('makes the demo on an empty database, says where it is, and serves it over REST and MCP', async () => {
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

  test('removes what has outlived its time: the trash after its days, stored answers after one', async () => {
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
  ])('says in a line that there is no database: %s', async (address, code) => {
    const outcome = await parley(['serve'], { DATABASE_URL: address, PARLEY_HOME: newHome() });
    expect(outcome.code).toBe(1);
    // What the log holds may come before it or after.
    expect(outcome.stderr.split('\n')).toContain(
      `parley: The database in DATABASE_URL cannot be used (${code}). Start it, or correct DATABASE_URL.`,
    );
  });

  test('says in one line that its port is taken, exit status 1', async () => {
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
});

describe('in production, serve', () => {
  test('says in one line what it lacks', async () => {
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

  test('makes no demo, and says on stderr alone, in JSON, that it listens', async () => {
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

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s ends an idle server, exit status 0',
    async (signal) => {
      const server = await serve(['--no-demo']);
      // A connection that is kept alive must not hold it up.
      await (await fetch(`${server.base}/healthz`)).text();
      server.child.kill(signal);
      const { code, stderr } = await server.ended;
      expect(code).toBe(0);
      // Nothing but the lines of the requests that were answered.
      for (const line of stderr.split('\n').filter(Boolean))
        expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'request' });
    },
  );

  test('finishes the request that is under way, and takes no new connection meanwhile', async () => {
    const server = await serve();
    const { answer, letGo } = await slowChange(server);
    server.child.kill('SIGTERM');
    await refuses(server.base);
    expect(server.child.exitCode).toBeNull();
    await letGo();
    const reply = await answer;
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ name: 'Slow' });
    expect((await server.ended).code).toBe(0);
    expect(await query(server.databaseUrl, 'select name from flows')).toStrictEqual([{ name: 'Slow' }]);
  });

  test('says in the answers that it still gives that their connections end', async () => {
    const server = await serve();
    const { answer, letGo } = await slowChange(server);
    server.child.kill('SIGTERM');
    await refuses(server.base);
    await letGo();
    expect((await answer).headers.get('connection')).toBe('close');
  });

  test('asked for a second time ends it at once, exit status 1, and leaves nothing half done', async () => {
    const server = await serve();
    const { letGo } = await slowChange(server);
    server.child.kill('SIGTERM');
    await refuses(server.base);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(1);
    await letGo();
    expect(await query(server.databaseUrl, 'select name from flows')).toStrictEqual([{ name: 'Reception' }]);
  });

  test('in the middle of the start is heeded as soon as it listens, exit status 0', async () => {
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

test('two servers that start at once on an empty database make one demo, and both serve it', async () => {
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
