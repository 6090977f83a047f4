import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPool } from '../../src/postgres/pool.ts';
import { type UsageEvent, writeUsage } from '../../src/resources/usage/events.ts';
import { UsageRecorder } from '../../src/resources/usage/recorder.ts';
import type { Use } from '../../src/services/models/use.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
let pool: Knex;
let proxy: Awaited<ReturnType<typeof openWithholdingProxy>>;
let warnings: string[];
let recorder: UsageRecorder;

beforeAll(async () => {
  world = await openWorld();
  proxy = await openWithholdingProxy();
});
beforeEach(async () => {
  tenant = await world.tenant();
  const connectionString = proxy.forwardToDatabase(world.databaseUrl);
  pool = openPool({ connectionString, mode: 'write', max: 3, warn: () => undefined });
  await pool.raw('select 1');
  warnings = [];
  recorder = new UsageRecorder(pool, (line) => warnings.push(line));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.setSystemTime('2030-01-01T10:59:59.500Z');
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await recorder.close();
  await pool.destroy();
});
afterAll(async () => {
  proxy.close();
  await world.close();
});

const use: Use = { service: 'llm', mode: 'realtime', metric: 'tokens_in', quantity: 1 };
/** Different kinds, so that the recorder does not merge them. */
const [two, three] = [2, 3].map((count) =>
  (['tokens_in', 'tokens_out', 'requests'] as const).slice(0, count).map((metric) => ({ ...use, metric })),
) as [Use[], Use[]];

/** Returns the number of the project's events in the database, and its hourly sums. */
async function stored() {
  const [row] = await world.rows(
    `select (select count(*)::int from usage_events where project_id = $1) as events,
       (select array_agg(quantity order by start) from (
         select start, sum(quantity)::int as quantity from usage_sums
         where project_id = $1 and minutes = 60 group by start
       ) each) as hours`,
    [tenant.projectId],
  );
  return row;
}

/** Advances the clock by the flush interval and waits for the flush. */
async function aSecond(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
}

const eventually = (assertion: () => Promise<void> | void) => vi.waitFor(assertion, { timeout: 20_000 });

test('writes a use after a second, together with the others of that second, each in its hour', async () => {
  recorder.note(tenant.projectId, [use, { ...use, metric: 'requests' }]);
  await vi.advanceTimersByTimeAsync(499);
  recorder.note(tenant.projectId, [use]);
  await vi.advanceTimersByTimeAsync(100);
  recorder.note(tenant.projectId, [{ ...use, quantity: 5 }]);
  await vi.advanceTimersByTimeAsync(400);
  expect(await stored()).toEqual({ events: 0, hours: null });
  await vi.advanceTimersByTimeAsync(1);
  await eventually(async () => expect(await stored()).toEqual({ events: 4, hours: [3, 5] }));
  recorder.note(tenant.projectId, [use]);
  await aSecond();
  await eventually(async () => expect(await stored()).toEqual({ events: 5, hours: [3, 6] }));
  expect(warnings).toEqual([]);
});

test('merges the uses of one kind in 100 ms into one event with the time of the last', async () => {
  const other: Use = { ...use, mode: 'batch' };
  recorder.note(tenant.projectId, [use, use, { ...use, estimated: true }, other]);
  await vi.advanceTimersByTimeAsync(99);
  recorder.note(tenant.projectId, [
    { ...use, quantity: 2 ** 53 - 3 },
    { ...use, quantity: 7 },
  ]);
  await vi.advanceTimersByTimeAsync(1);
  recorder.note(tenant.projectId, [use]);
  await recorder.close();
  const rows = await world.rows(
    `select to_char(occurred_at at time zone 'UTC', 'SS.MS') as at, mode, quantity, estimated
     from usage_events where project_id = $1 order by 1, 2, 3`,
    [tenant.projectId],
  );
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    '59.500 batch 1 false',
    '59.500 realtime 1 true',
    '59.599 realtime 7 false',
    `59.599 realtime ${2 ** 53 - 1} false`,
    '59.600 realtime 1 false',
  ]);
});

test('keeps a use that arrives while an event of its kind is being written', async () => {
  const raw = pool.raw.bind(pool);
  vi.spyOn(pool, 'raw').mockImplementationOnce(((sql: string, bindings: never) => {
    recorder.note(tenant.projectId, [use]);
    return raw(sql, bindings);
  }) as never);
  recorder.note(tenant.projectId, [use]);
  await recorder.close();
  expect(await stored()).toMatchObject({ hours: [2] });
});

test('writes a use that arrives during a flush a second later', async () => {
  const raw = vi.spyOn(pool, 'raw').mockImplementation((() => ({
    async timeout() {
      recorder.note(tenant.projectId, [use]);
      return { rows: [{ known: 1 }] };
    },
  })) as never);
  recorder.note(tenant.projectId, [use]);
  for (const count of [1, 2, 3]) {
    await aSecond();
    expect(raw).toHaveBeenCalledTimes(count);
  }
  raw.mockRestore();
});

test('retries a flush whose response is lost, and counts its events once', async () => {
  recorder.note(tenant.projectId, three);
  proxy.withhold();
  await aSecond();
  await eventually(async () => expect(await stored()).toEqual({ events: 3, hours: [3] }));
  recorder.note(tenant.projectId, [use]);
  await vi.advanceTimersByTimeAsync(5000);
  await eventually(() => expect(warnings).toEqual([expect.stringContaining('retrying')]));
  proxy.forwardToDatabase(world.databaseUrl);
  await aSecond();
  await eventually(() => expect(warnings).toHaveLength(2));
  expect(warnings[1]).toBe('usage is written again; 0 events were dropped');
  await eventually(async () => expect(await stored()).toEqual({ events: 4, hours: [3, 1] }));
});

test('writes the usage of an outage after it, at the time of its use', async () => {
  const failure = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  const raw = vi.spyOn(pool, 'raw').mockImplementation(() => {
    throw failure;
  });
  for (let second = 0; second < 5; second++) {
    recorder.note(tenant.projectId, [use]);
    await aSecond();
  }
  expect(warnings).toEqual(['usage was not written; retrying every second: ECONNREFUSED']);
  raw.mockRestore();
  await aSecond();
  await eventually(async () => expect(await stored()).toEqual({ events: 5, hours: [1, 4] }));
});

test('drops events above the limit of 250,000, and logs how many', async () => {
  vi.useRealTimers();
  const sent: number[] = [];
  let away = true;
  vi.spyOn(pool, 'raw').mockImplementation(((_sql: string, { ids }: { ids: unknown[] }) => {
    if (away) throw Object.assign(new Error('away'), { code: '57P03' });
    sent.push(ids.length);
    return { timeout: async () => ({ rows: [{ known: ids.length }] }) };
  }) as never);
  // A maximum quantity prevents merging.
  const most = { ...use, quantity: Number.MAX_SAFE_INTEGER };
  recorder.note(
    tenant.projectId,
    Array.from({ length: 250_000 }, () => most),
  );
  recorder.note(tenant.projectId, three);
  const closed = recorder.close();
  await eventually(() => expect(warnings.at(-1)).toContain('retrying'));
  away = false;
  await closed;
  expect(sent.reduce((sum, count) => sum + count)).toBe(250_000);
  expect(Math.max(...sent)).toBe(5000);
  expect(warnings).toEqual([
    'usage is lost: 250000 events wait for the database; dropping further ones',
    'usage was not written; retrying every second: 57P03',
    'usage is written again; 3 events were dropped',
  ]);
});

test('leaves out events of a project that does not exist, and logs how many', async () => {
  recorder.note('cpr00000000000000000000000000', two);
  recorder.note(tenant.projectId, [use]);
  await aSecond();
  await eventually(async () => expect(await stored()).toEqual({ events: 1, hours: [1] }));
  expect(warnings).toEqual(['usage of projects that do not exist was not counted: 2 events']);
});

test('logs an impossible quantity, and writes no event for a quantity of 0', async () => {
  for (const quantity of [0, -0, Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 53, 1e-9])
    recorder.note(tenant.projectId, [{ ...use, quantity }]);
  recorder.note(tenant.projectId, [{ ...use, metric: 'seconds', quantity: 0.5 }]);
  await recorder.close();
  expect(warnings).toEqual(
    ['NaN', '-1', 'Infinity', '9007199254740992'].map(
      (quantity) => `usage was not counted: ${quantity} tokens_in of llm`,
    ),
  );
  expect(await stored()).toMatchObject({ events: 2 });
});

describe('close', () => {
  test('writes the waiting events at once', async () => {
    recorder.note(tenant.projectId, two);
    await recorder.close();
    expect(await stored()).toEqual({ events: 2, hours: [2] });
  });

  test('retries for five seconds, and then logs how many events are lost', async () => {
    vi.useRealTimers();
    recorder.note(tenant.projectId, two);
    const raw = vi.spyOn(pool, 'raw').mockImplementation(() => {
      throw new Error('away');
    });
    const closed = recorder.close();
    await vi.waitFor(() => expect(raw.mock.calls.length).toBeGreaterThan(2));
    raw.mockRestore();
    await closed;
    expect(await stored()).toMatchObject({ events: 2 });

    const other = new UsageRecorder(pool, (line) => warnings.push(line));
    other.note(tenant.projectId, three);
    vi.spyOn(pool, 'raw').mockImplementation(() => {
      throw new Error('away');
    });
    const now = Date.now();
    vi.spyOn(Date, 'now')
      .mockReturnValueOnce(now)
      .mockReturnValue(now + 5000);
    await other.close();
    expect(warnings.at(-1)).toBe('usage is lost: 3 events could not be written before the process ended');
    other.note(tenant.projectId, [use]);
    expect(warnings.at(-1)).toContain('dropping');
  });
});

test('lets replicas write the same sums in different orders without blocking each other', async () => {
  vi.useRealTimers();
  const metrics = ['seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests'] as const;
  const events = Array.from(
    { length: 600 },
    (_, index): UsageEvent => ({
      ...use,
      projectId: tenant.projectId,
      id: randomUUID(),
      metric: metrics[index % 6] ?? 'chars',
      occurredAt: Date.UTC(2030, 0, 1, index % 100),
    }),
  );
  const again = (event: UsageEvent) => ({ ...event, id: randomUUID() });
  for (let round = 0; round < 10; round++)
    await Promise.all(
      [events.map(again), events.map(again).toReversed(), events].map((some) => writeUsage(pool, some)),
    );
  expect(await stored()).toMatchObject({ events: 600 * 21 });
});
