import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyDatabase, freePort, parley, query, type Running, start } from '../helpers/parley.ts';
import { newHome, postmasterFile } from '../postgres/members.ts';

const deadline = { timeout: 50_000, interval: 1 };

/** A start in a phase, and how to see that it has got there. */
interface Phase {
  readonly databaseUrl?: string;
  readonly reached: (server: Running) => unknown;
  /** Lets the next start go on. */
  readonly release?: () => unknown;
}

interface Place {
  readonly home: string;
  readonly opsPort: number;
}

/** The lock that a migration takes: whoever holds it keeps others from migrating. */
const migrationLock = 727_001;

/** Starts a database that accepts connections and says nothing. */
async function silentDatabase() {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { databaseUrl: `postgres://parley@127.0.0.1:${port}/parley`, connections: () => sockets.length };
}

/** Takes a lock in a transaction that stays open until `rollback`. */
async function held(url: string, lock: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query(lock);
  return holder;
}

const migrators = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and (query like '%pg_try_advisory_xact_lock(%' or query = 'rollback')`;
const begunMigrations = "select 1 from pg_tables where tablename = 'schema_migrations_lock'";

const ofExternal: Readonly<Record<string, (place: Place) => Promise<Phase>>> = {
  'before the database opens': async ({ opsPort }) => ({
    databaseUrl: (await silentDatabase()).databaseUrl,
    reached: async () => expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(503),
  }),
  'while a database that has accepted its connection stays silent': async () => {
    const { databaseUrl, connections } = await silentDatabase();
    return { databaseUrl, reached: () => expect(connections()).toBeGreaterThan(0) };
  },
  'while it waits for the migration of another replica': async () => {
    const databaseUrl = await emptyDatabase();
    const holder = await held(databaseUrl, `select pg_advisory_xact_lock(${migrationLock})`);
    return {
      databaseUrl,
      reached: async () => expect(await query(databaseUrl, migrators)).not.toEqual([]),
      release: () => holder.query('rollback'),
    };
  },
  'while it migrates': async () => {
    const databaseUrl = await emptyDatabase();
    return {
      databaseUrl,
      reached: async () => expect(await query(databaseUrl, begunMigrations)).not.toEqual([]),
    };
  },
  'just after it listens': async () => ({
    databaseUrl: await emptyDatabase(),
    reached: ({ stdout }) => expect(stdout()).toContain('listens on'),
  }),
};

const ofEmbedded: Readonly<Record<string, (place: Place) => Promise<Phase>>> = {
  'while the embedded Postgres makes its data': async ({ home }) => ({
    reached: () => expect(existsSync(path.join(home, 'password'))).toBe(true),
  }),
  'while the embedded Postgres starts for the first time': async ({ home }) => ({
    reached: () => expect(existsSync(postmasterFile(home))).toBe(true),
  }),
};

async function serveUntil(prepare: (place: Place) => Promise<Phase>) {
  const place = { home: newHome(), opsPort: await freePort() };
  const { databaseUrl, reached, release } = await prepare(place);
  const serve = async () =>
    start(['serve', '--no-demo'], {
      PARLEY_HOME: place.home,
      PARLEY_OPS_PORT: String(place.opsPort),
      PORT: String(await freePort()),
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    });
  const server = await serve();
  await vi.waitFor(() => reached(server), deadline);
  return { server, serve, release, home: place.home };
}

const untilListening = (server: Running) =>
  vi.waitFor(() => expect(server.stdout()).toContain('listens on'), deadline);

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test.each(Object.entries(ofExternal))('%s ends the server with exit status 0', async (name, prepare) => {
    const { server, serve, release } = await serveUntil(prepare);
    server.child.kill(signal);
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    if (!/migrat/.test(name)) return;
    await release?.();
    const next = await serve();
    await untilListening(next);
    next.child.kill(signal);
    expect((await next.ended).code).toBe(0);
  });
});

test.each(Object.entries(ofEmbedded))(
  'SIGTERM %s ends the server and its Postgres, and the next one starts',
  async (_, prepare) => {
    const { server, serve, home } = await serveUntil(prepare);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(existsSync(postmasterFile(home))).toBe(false);
    const next = await serve();
    await untilListening(next);
    next.child.kill('SIGTERM');
    expect((await next.ended).code).toBe(0);
  },
  180_000,
);

const readinessOf = async (opsPort: number) => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).text();

test('SIGTERM between the opening of the database and the first request leaves a first start its grace period', async () => {
  const databaseUrl = await emptyDatabase();
  expect((await parley(['migrate'], { DATABASE_URL: databaseUrl })).code).toBe(0);
  // A first start makes the demo once the database is open.
  const holder = await held(databaseUrl, 'lock table projects in access exclusive mode');
  const opsPort = await freePort();
  const server = start(['serve'], {
    DATABASE_URL: databaseUrl,
    PARLEY_HOME: newHome(),
    PARLEY_OPS_PORT: String(opsPort),
    // Longer than all that a stop may take beside it.
    PARLEY_GRACE_SECONDS: '6',
    PORT: String(await freePort()),
  });
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect(await query(databaseUrl, waiting)).not.toEqual([]), deadline);
  server.child.kill('SIGTERM');
  await vi.waitFor(async () => expect(await readinessOf(opsPort)).toContain('draining'), deadline);
  expect(server.stdout()).not.toContain('listens on');
  await holder.query('rollback');
  const { code, stdout } = await server.ended;
  expect(stdout).toContain('listens on');
  expect(code).toBe(0);
});

test('a second signal during the grace period ends the server at once with exit status 1', async () => {
  const opsPort = await freePort();
  const server = start(['serve', '--no-demo'], {
    DATABASE_URL: await emptyDatabase(),
    PARLEY_HOME: newHome(),
    PARLEY_OPS_PORT: String(opsPort),
    PARLEY_GRACE_SECONDS: '600',
    PORT: String(await freePort()),
  });
  await untilListening(server);
  server.child.kill('SIGTERM');
  await vi.waitFor(async () => expect(await readinessOf(opsPort)).toContain('draining'), deadline);
  server.child.kill('SIGINT');
  expect((await server.ended).code).toBe(1);
});
