import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type UsageEvent, writeUsage } from '../../src/resources/usage/events.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  tenant = await world.tenant();
});
afterAll(() => world.close());

const day = 24 * 3_600_000;

/** Stores uses of a project as a replica writes them; the default is one request. */
function used(projectId: string, uses: readonly (Partial<UsageEvent> & { readonly at: string })[]) {
  return writeUsage(
    world.core.knex,
    uses.map(({ at, ...use }) => ({
      projectId,
      id: randomUUID(),
      occurredAt: Date.parse(at),
      service: 'llm',
      mode: 'realtime',
      metric: 'requests',
      quantity: 1,
      ...use,
    })),
  );
}

const projectUsage = ({ projectId, key }: Tenant, query: Record<string, string> = {}) =>
  world.rest('GET', `/v1/projects/${projectId}/usage?${new URLSearchParams(query)}`, { key });

const organizationUsage = ({ key }: Tenant, query: Record<string, string> = {}) =>
  world.rest('GET', `/v1/organization/usage?${new URLSearchParams(query)}`, { key });

describe('the usage of a call', () => {
  test('is in both reports a second later', async () => {
    const caller = await world.core.authenticate(tenant.key);
    const { meter } = world.core.runtime.services;
    meter(caller, [
      { service: 'llm', mode: 'realtime', metric: 'tokens_in', quantity: 120 },
      { service: 'llm', mode: 'realtime', metric: 'tokens_out', quantity: 7, estimated: true },
      { service: 'kb', mode: null, metric: 'requests', quantity: 1 },
      { service: 'stt', mode: 'batch', metric: 'seconds', quantity: 0 },
    ]);
    const today = new Date(Math.floor(Date.now() / day) * day).toISOString();
    const period = { periodStart: today, periodEnd: new Date(Date.parse(today) + day).toISOString() };
    const totals = [
      { service: 'kb', mode: null, metric: 'requests', quantity: 1 },
      { service: 'llm', mode: 'realtime', metric: 'tokens_in', quantity: 120 },
      { service: 'llm', mode: 'realtime', metric: 'tokens_out', quantity: 7 },
    ];
    await vi.waitFor(async () => {
      const { body } = await projectUsage(tenant);
      expect(body.points).toStrictEqual(totals.map((total) => ({ ...period, ...total })));
    }, 5000);
    expect((await organizationUsage(tenant)).body).toStrictEqual({
      organizationId: tenant.organizationId,
      totals,
    });
  });

  test('is counted and reported even if the project is archived by then', async () => {
    await world.rest('PATCH', `/v1/projects/${tenant.projectId}`, {
      key: tenant.key,
      body: { status: 'archived' },
    });
    await used(tenant.projectId, [{ at: '2026-03-01T10:00:00Z' }]);
    const { body } = await projectUsage(tenant, { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' });
    expect(body.points).toHaveLength(1);
  });

  test('is in the totals of its own organization only', async () => {
    const sister = await world.tenant({ organizationId: tenant.organizationId });
    const stranger = await world.tenant();
    const at = '2026-03-01T10:20:00Z';
    for (const { projectId } of [tenant, sister, stranger]) await used(projectId, [{ at, quantity: 5 }]);
    const range = { from: '2026-03-01T10:10:00Z', to: '2026-03-01T10:50:00Z' };
    const quantityOf = async (who: Tenant) => (await organizationUsage(who, range)).body.totals[0].quantity;
    expect([await quantityOf(tenant), await quantityOf(sister), await quantityOf(stranger)]).toEqual([
      10, 10, 5,
    ]);
  });

  test('is the nearest number above 2^53', async () => {
    const uses = [1, 2, 3].map(() => ({ at: '2026-03-01T10:00:00Z', quantity: Number.MAX_SAFE_INTEGER }));
    await used(tenant.projectId, uses);
    const { body } = await organizationUsage(tenant, { from: '2026-03-01T00:00:00Z' });
    expect(body.totals[0].quantity).toBe(Number(3n * BigInt(Number.MAX_SAFE_INTEGER)));
  });
});

describe('the range', () => {
  test('is the last 30 days without from and to', async () => {
    const before = Date.now();
    const { body } = await projectUsage(tenant);
    const [from, to] = [Date.parse(body.from), Date.parse(body.to)];
    expect(to - from).toBe(30 * day);
    expect(to).toBeGreaterThanOrEqual(before);
    expect(to).toBeLessThanOrEqual(Date.now());
    expect(body).toStrictEqual({
      projectId: tenant.projectId,
      from: body.from,
      to: body.to,
      granularity: 'day',
      points: [],
    });
  });

  test('is the 30 days before to if only to is given', async () => {
    const { body } = await projectUsage(tenant, { to: '2026-03-31T10:00:00.5+02:00' });
    expect(body).toMatchObject({ from: '2026-03-01T08:00:00.500Z', to: '2026-03-31T08:00:00.500Z' });
  });

  test('accepts t and z in lower case', async () => {
    const range = { from: '2026-03-01t00:00:00z', to: '2026-03-02t00:00:00.25+01:00' };
    const { body } = await projectUsage(tenant, range);
    expect(body).toMatchObject({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-01T23:00:00.250Z' });
    expect((await organizationUsage(tenant, range)).status).toBe(200);
  });

  test('ends now if only from is given', async () => {
    const { body } = await projectUsage(tenant, { from: '2026-03-31T00:00:00-08:00' });
    expect(body.from).toBe('2026-03-31T08:00:00.000Z');
    expect(Math.abs(Date.parse(body.to) - Date.now())).toBeLessThan(60_000);
  });

  test.each(['2026-03-01T10:29:59.999Z', '2026-03-01T10:30:00Z', '2026-03-01T10:30:00.001Z'])(
    'includes a use at from and excludes one at to: %s',
    async (from) => {
      const [at, to] = [Date.parse(from), Date.parse(from) + 3_600_000];
      const text = (time: number) => new Date(time).toISOString();
      await used(tenant.projectId, [
        { at: text(at - 1), quantity: 1 },
        { at: text(at), quantity: 10 },
        { at: text(to - 1), quantity: 100 },
        { at: text(to), quantity: 1000 },
      ]);
      const { body } = await projectUsage(tenant, { from, to: text(to), granularity: 'month' });
      expect(body.points).toStrictEqual([
        {
          periodStart: '2026-03-01T00:00:00.000Z',
          periodEnd: '2026-04-01T00:00:00.000Z',
          service: 'llm',
          mode: 'realtime',
          metric: 'requests',
          quantity: 110,
        },
      ]);
    },
  );

  test('may be as long as the years 1970 to 9999', async () => {
    await used(tenant.projectId, [{ at: '2026-03-01T10:00:00Z', quantity: 4 }]);
    const range = { from: '1970-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' };
    expect((await organizationUsage(tenant, range)).body.totals[0].quantity).toBe(4);
    const { body } = await projectUsage(tenant, range);
    expect(body).toMatchObject({ ...range, from: '1970-01-01T00:00:00.000Z', granularity: 'month' });
    expect(body.points).toHaveLength(1);
  });

  test.each([
    ['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['a part of a leap second', '2016-12-31T23:59:60.25Z', '2017-01-01T00:00:00.250Z'],
    ['a leap second in another zone', '2017-01-01t00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
    ['ten digits of a second', '2016-12-31T23:59:59.1239999999Z', '2016-12-31T23:59:59.123Z'],
    [
      'a thousand digits of a second',
      `2016-12-31T23:59:59.${'9'.repeat(1_000)}Z`,
      '2016-12-31T23:59:59.999Z',
    ],
  ])('takes %s', async (_, from, read) => {
    const { status, body } = await projectUsage(tenant, { from });
    expect([status, body.from]).toEqual([200, read]);
  });

  const wrong: [query: Record<string, string>, path: string][] = [
    [{ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, '/from'],
    [{ from: '2026-03-01T00:00:00Z', to: '2026-03-01T01:00:00+01:00' }, '/from'],
    [{ from: '9000-01-01T00:00:00Z' }, '/from'],
    [{ from: '2026-03-01' }, '/from'],
    [{ from: '2026-03-01T00:00:00' }, '/from'],
    [{ from: '2026-02-29T00:00:00Z' }, '/from'],
    [{ from: '2026-03-01T24:00:00Z' }, '/from'],
    [{ from: '2026-03-01T00:00:60Z' }, '/from'],
    [{ from: '2016-12-31T23:59:61Z' }, '/from'],
    [{ from: '2016-12-31T23:59:60+01:00' }, '/from'],
    [{ from: '2016-02-30T23:59:60Z' }, '/from'],
    [{ to: '9999-12-31T23:59:60Z' }, '/to'],
    [{ from: '2026-03-01T00:00:00.Z' }, '/from'],
    [{ from: '2026-03-01T00:00:00+24:00' }, '/from'],
    [{ from: '2026-03-01 00:00:00Z' }, '/from'],
    [{ from: '2026-03-01T00:00:00 01:00' }, '/from'],
    [{ from: '' }, '/from'],
    [{ from: '1772323200' }, '/from'],
    [{ from: '1969-12-31T23:59:59.999Z' }, '/from'],
    [{ to: '1970-01-01T00:00:00+00:01' }, '/to'],
    [{ to: '9999-12-31T23:59:59-00:01' }, '/to'],
    [{ to: '+010000-01-01T00:00:00Z' }, '/to'],
    [{ to: '2026-04-31T00:00:00Z' }, '/to'],
  ];
  test.each(wrong)('%j is rejected at %s', async (query, path) => {
    for (const report of [projectUsage, organizationUsage]) {
      const { status, body } = await report(tenant, query);
      expect({ status, code: body.error.code }).toStrictEqual({ status: 400, code: 'invalid_request' });
      expect(body.error.details.issues).toStrictEqual([
        { in: 'querystring', path, message: expect.stringMatching(/\S/) },
      ]);
    }
  });

  test('is rejected with all problems at once', async () => {
    const { body } = await projectUsage(tenant, { from: 'now', to: '2026-02-30', granularity: 'year' });
    expect(body.error.details.issues.map(({ path }: { path: string }) => path)).toStrictEqual([
      '/from',
      '/to',
      '/granularity',
    ]);
  });
});

describe('the granularity', () => {
  const from = '2020-01-01T00:00:00Z';
  const chosen: [to: string, granularity: string][] = [
    // 1,000 days, and one millisecond more.
    ['2022-09-27T00:00:00Z', 'day'],
    ['2022-09-27T00:00:00.001Z', 'week'],
    // 1,000 weeks from Monday, 30 December 2019.
    ['2039-02-28T00:00:00Z', 'week'],
    ['2039-02-28T00:00:00.001Z', 'month'],
    ['9999-01-01T00:00:00Z', 'month'],
  ];
  test.each(chosen)('to %s is %s by default', async (to, granularity) => {
    expect((await projectUsage(tenant, { from, to })).body.granularity).toBe(granularity);
  });

  const most: [granularity: string, from: string, to: string, over: string][] = [
    ['hour', '2026-01-01T00:59:59Z', '2027-02-21T16:00:00Z', '2027-02-21T16:00:00.001Z'],
    ['day', '2000-01-01T00:00:00Z', '2027-05-19T00:00:00Z', '2027-05-19T00:00:00.001Z'],
    ['week', '1970-01-01T00:00:00Z', '2161-08-24T00:00:00Z', '2161-08-24T00:00:00.001Z'],
    ['month', '1970-01-31T00:00:00Z', '2803-05-01T00:00:00Z', '2803-05-01T00:00:00.001Z'],
  ];
  test.each(most)('%s allows 10,000 periods and no more', async (granularity, start, to, over) => {
    const asked = { from: start, to, granularity };
    expect((await projectUsage(tenant, asked)).body).toMatchObject({ granularity, points: [] });
    const { status, body } = await projectUsage(tenant, { ...asked, to: over });
    expect(status).toBe(400);
    expect(body.error.details.issues).toStrictEqual([
      { in: 'querystring', path: '/granularity', message: expect.stringContaining('10001') },
    ]);
  });

  test('week follows ISO 8601, also at the end of a year', async () => {
    await used(tenant.projectId, [
      { at: '2024-12-29T23:59:59.999Z', quantity: 1 },
      { at: '2024-12-30T00:00:00Z', quantity: 10 },
      { at: '2025-01-05T23:59:59.999Z', quantity: 100 },
      { at: '2025-01-06T00:00:00Z', quantity: 1000 },
    ]);
    const range = { from: '2024-12-01T00:00:00Z', to: '2025-02-01T00:00:00Z', granularity: 'week' };
    const { points } = (await projectUsage(tenant, range)).body;
    const seen = points.map((point: Record<string, unknown>) => [point['periodStart'], point['quantity']]);
    expect(seen).toStrictEqual([
      ['2024-12-23T00:00:00.000Z', 1],
      ['2024-12-30T00:00:00.000Z', 110],
      ['2025-01-06T00:00:00.000Z', 1000],
    ]);
  });
});

describe('access', () => {
  test('rejects a key without admin for the organization, but not for its project', async () => {
    const { key } = await world.key(tenant.projectId, { scope: 'service_app' });
    const other = { ...tenant, key };
    expect((await projectUsage(other)).status).toBe(200);
    expect((await organizationUsage(other)).status).toBe(403);
  });

  test('returns 404 for another project of the organization', async () => {
    const sister = await world.tenant({ organizationId: tenant.organizationId });
    expect((await projectUsage({ ...sister, key: tenant.key })).status).toBe(404);
  });
});

test('returns a long report to an agent in parts that name the next one, without gaps', async () => {
  const start = Date.parse('2026-03-01T00:00:00Z');
  const modes = ['realtime', 'batch', 'playground', null] as const;
  await used(
    tenant.projectId,
    Array.from({ length: 8_000 }, (_, index) => ({
      at: new Date(start + Math.floor(index / 4) * 3_600_000).toISOString(),
      mode: modes[index % 4] ?? null,
      quantity: index + 1,
    })),
  );
  const range = { from: '2026-03-01T00:30:00+01:00', to: '2026-05-31T00:00:00Z', granularity: 'hour' };
  const { body } = await projectUsage(tenant, range);
  expect(body.points).toHaveLength(8_000);

  const client = await world.mcp('modern http', tenant.key);
  const points: unknown[] = [];
  let longest = 0;
  for (let from: string | undefined = range.from, calls = 1; from !== undefined; calls++) {
    const call = { ...range, from, projectId: tenant.projectId };
    const { content, structuredContent } = await client.callTool({
      name: 'get_project_usage',
      arguments: call,
    });
    const answer = structuredContent as typeof body;
    expect(Buffer.byteLength(content[0]?.text ?? '')).toBeLessThanOrEqual(40_000);
    expect(answer.truncated === true).toBe(answer.nextFrom !== undefined);
    expect(calls).toBeLessThan(10);
    longest = Math.max(longest, answer.rows.length);
    points.push(...pointsOf(answer));
    from = answer.nextFrom;
  }
  expect(longest).toBeGreaterThan(500);
  expect(points).toStrictEqual(
    body.points.map(({ periodStart, service, mode, metric, quantity }: UsagePoint) => [
      periodStart,
      [service, ...(mode === null ? [] : [mode]), metric].join(' '),
      quantity,
    ]),
  );
});

interface UsagePoint {
  readonly periodStart: string;
  readonly service: string;
  readonly mode: string | null;
  readonly metric: string;
  readonly quantity: number;
}

/** What a table says was used: the start of a period, what, and how much; by hours, in the order of REST. */
function pointsOf({ columns, rows }: { columns: string[]; rows: [start: string, ...number[]][] }) {
  return rows.flatMap(([start, ...cells]) => {
    const used = cells.map((quantity, index) => [
      start.replace('Z', ':00.000Z'),
      columns[index + 1],
      quantity,
    ]);
    // REST lists what has no mode first.
    return used
      .filter(([, , quantity]) => quantity !== 0)
      .toSorted(
        ([, one = ''], [, other = '']) => String(one).split(' ').length - String(other).split(' ').length,
      );
  });
}

test('shows an agent one row for each period', async () => {
  await used(tenant.projectId, [
    { at: '2026-03-01T10:00:00Z', quantity: 2 },
    { at: '2026-03-01T11:00:00Z', quantity: 3, metric: 'tokens_in' },
    { at: '2026-03-03T10:00:00Z', service: 'kb', mode: null },
  ]);
  const client = await world.mcp('modern http', tenant.key);
  const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-04T00:00:00Z' };
  const report = await client.callTool({ name: 'get_project_usage', arguments: range });
  expect(report.structuredContent).toStrictEqual({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-04T00:00:00.000Z',
    granularity: 'day',
    columns: ['from', 'kb requests', 'llm realtime requests', 'llm realtime tokens_in'],
    rows: [
      ['2026-03-01', 0, 2, 3],
      ['2026-03-03', 1, 0, 0],
    ],
  });
  const totals = await client.callTool({ name: 'get_organization_usage', arguments: range });
  expect(totals.structuredContent).toStrictEqual({
    used: { 'kb requests': 1, 'llm realtime requests': 2, 'llm realtime tokens_in': 3 },
  });
});

test('says on MCP in words that nothing was used', async () => {
  const client = await world.mcp('modern http', tenant.key);
  const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  const report = async () =>
    (await client.callTool({ name: 'get_project_usage', arguments: range })).structuredContent;
  expect(await report()).toMatchObject({
    note: 'The project used nothing from 2026-03-01T00:00:00.000Z to 2026-03-02T00:00:00.000Z.',
  });
  await used(tenant.projectId, [{ at: '2026-03-01T12:00:00Z' }]);
  expect(await report()).not.toHaveProperty('note');
});

describe('the cost of usage', () => {
  const prices = {
    currency: 'EUR',
    models: new Map([
      ['chat', { tokens_in: 250_000, tokens_out: 2_000_001 }],
      ['speech', { chars: 15_000_000 }],
      ['transcription', { seconds: 100_000_000 }],
    ]),
  };

  test('is exact to the last digit, in both reports, for metrics that have a price', async () => {
    const priced = await openWorld({ prices });
    onTestFinished(() => priced.close());
    const { projectId, key } = await priced.tenant();
    const post = (path: string, body: unknown) => priced.rest('POST', path, { key, body });
    for (let calls = 0; calls < 3; calls++)
      await post('/v1/chat/completions', { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] });
    await post('/v1/audio/speech', { model: 'auto', input: 'Good day' });
    const form = new FormData();
    form.set('file', new File([new Uint8Array(wav())], 'a.wav', { type: 'audio/wav' }));
    await post('/v1/audio/transcriptions', form);
    // 21 tokens in, 15 out, 8 characters, and the hundredth of a second that the header of the recording says.
    const costs = [
      ['llm', 'requests', 3, undefined, undefined],
      ['llm', 'tokens_in', 21, '0.00000525', 'EUR'],
      ['llm', 'tokens_out', 15, '0.000030000015', 'EUR'],
      ['stt', 'requests', 1, undefined, undefined],
      ['stt', 'seconds', 0.01, '0.000001', 'EUR'],
      ['tts', 'chars', 8, '0.00012', 'EUR'],
      ['tts', 'requests', 1, undefined, undefined],
    ];
    for (const [path, list] of [
      [`/v1/projects/${projectId}/usage`, 'points'],
      ['/v1/organization/usage', 'totals'],
    ] as const)
      await vi.waitFor(async () => {
        const { body } = await priced.rest('GET', path, { key });
        const found = body[list].map((total: Record<string, unknown>) =>
          ['service', 'metric', 'quantity', 'cost', 'currency'].map((name) => total[name]),
        );
        expect(found).toEqual(costs);
      });
  });

  test('adds up over events of one time and over years, without rounding', async () => {
    const priced = await openWorld({ prices });
    onTestFinished(() => priced.close());
    const owner = await priced.tenant();
    const events = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z', '2026-01-31T23:59:59Z'].map((at) => ({
      projectId: owner.projectId,
      id: randomUUID(),
      occurredAt: Date.parse(at),
      service: 'llm' as const,
      mode: 'realtime' as const,
      metric: 'tokens_in' as const,
      quantity: 1,
      cost: 100_000_000_000_000_001n,
    }));
    await writeUsage(priced.core.knex, events);
    await writeUsage(
      priced.core.knex,
      events.slice(0, 1).map((event) => ({ ...event, id: randomUUID(), cost: undefined })),
    );
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', granularity: 'month' };
    const { body } = await priced.rest(
      'GET',
      `/v1/projects/${owner.projectId}/usage?${new URLSearchParams(range)}`,
      { key: owner.key },
    );
    expect(body.points).toMatchObject([{ quantity: 4, cost: '300000.000000000003', currency: 'EUR' }]);
    const client = await priced.mcp('modern http', owner.key);
    const { structuredContent } = await client.callTool({
      name: 'get_project_usage',
      arguments: { ...range, granularity: 'day' },
    });
    expect(structuredContent).toMatchObject({
      columns: ['from', 'llm realtime tokens_in', 'llm realtime tokens_in EUR'],
      rows: [
        ['2026-01-01', 3, '200000.000000000002'],
        ['2026-01-31', 1, '100000.000000000001'],
      ],
    });
  });
});
