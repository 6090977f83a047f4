import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
let proxy: Awaited<ReturnType<typeof openWithholdingProxy>>;
let replica: Awaited<ReturnType<typeof openSecondReplica>>;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  // The first request starts undici's clock, which the whole process keeps. It must not be a fake clock.
  await fetch(world.base);
});
beforeEach(async () => {
  proxy = await openWithholdingProxy();
  replica = await openSecondReplica({ ...world, databaseUrl: proxy.forwardToDatabase(world.databaseUrl) });
});
afterEach(async () => {
  vi.useRealTimers();
  proxy.close();
  await replica.close();
});
afterAll(() => world.close());

const reports = () => [`/v1/projects/${tenant.projectId}/usage`, '/v1/organization/usage'];

async function ask(base: string, route: string) {
  const reply = await fetch(base + route, { headers: { authorization: `Bearer ${tenant.key}` } });
  const body = await reply.json();
  world.checkAnswer('GET', route, reply.status, reply.headers.get('content-type'), body);
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body };
}

const unavailable = {
  status: 503,
  retryAfter: '1',
  body: {
    error: {
      code: 'usage_unavailable',
      message: 'Usage data is not available right now. Try again shortly.',
      requestId: expect.any(String),
    },
  },
};

/** Locks both tables; the returned function releases them. */
async function lockTables(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  await client.query('begin; lock table usage_sums, usage_events in access exclusive mode');
  const letGo = () => client.end();
  onTestFinished(letGo);
  return letGo;
}

/** Waits until `count` Postgres processes wait for a lock. Returns their ids. */
async function waiting(count: number): Promise<unknown[]> {
  return vi.waitFor(async () => {
    const rows = await world.rows(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(count);
    return rows.map(({ pid }) => pid);
  }, 10_000);
}

test('returns usage_unavailable for a report that takes too long, and works again afterwards', async () => {
  const letGo = await lockTables();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answers = Promise.all(reports().map((route) => ask(world.base, route)));
  await waiting(2);
  vi.advanceTimersByTime(10_000);
  expect(await answers).toEqual([unavailable, unavailable]);
  vi.useRealTimers();
  await letGo();
  for (const route of reports()) expect(await ask(world.base, route)).toMatchObject({ status: 200 });
});

test.each([
  ['pg_cancel_backend', 'that the database cuts for its time'],
  ['pg_terminate_backend', 'whose connection the database ends'],
])('%s: returns usage_unavailable for a report %s', async (how) => {
  const letGo = await lockTables();
  const answers = Promise.all(reports().map((route) => ask(world.base, route)));
  for (const pid of await waiting(2)) await world.rows(`select ${how}($1)`, [pid]);
  expect(await answers).toEqual([unavailable, unavailable]);
  await letGo();
});

test('returns usage_unavailable, and nothing else, if the database is silent or gone', async () => {
  for (const route of reports()) expect(await ask(replica.base, route)).toMatchObject({ status: 200 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  proxy.withhold();
  const answers = Promise.all(reports().map((route) => ask(replica.base, route)));
  // Longer than the timeout of every read.
  for (let second = 0; second < 30; second++) await vi.advanceTimersByTimeAsync(1000);
  expect(await answers).toEqual([unavailable, unavailable]);
  vi.useRealTimers();
  proxy.close();
  for (const route of reports()) expect(await ask(replica.base, route)).toEqual(unavailable);
});

test('returns usage_unavailable only if the database fails; other errors keep their codes', async () => {
  await lockTables();
  const [report = ''] = reports();
  expect(await ask(world.base, `${report}?from=now`)).toMatchObject({ status: 400 });
  expect(await ask(world.base, report.replace(tenant.projectId, 'cpr0000000'))).toMatchObject({
    status: 404,
  });
});
