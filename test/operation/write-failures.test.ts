import pg from 'pg';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { Stores } from '../../src/store/stores.ts';
import { toolsets } from '../../tools/index.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { openWorld, type RestAnswer, type Tenant, type World } from '../helpers/world.ts';

/** The name of a flow that the database refuses. */
const refusedName = 'refused by a constraint';
const words = 'words of the database';
/** The options of `vi.waitFor` for a state of the database, in milliseconds. */
const often = { timeout: 10_000, interval: 2 };

const newFlow = (stores: Stores, name: string) =>
  stores.flows.create({
    name,
    type: 'simple',
    description: null,
    agentProfileId: null,
    flowSchema: { json: '{}', value: {} },
  });

/** Statements that a handler leaves running when it returns or throws. A test opens the gate and awaits them. */
let late: { gate: PromiseWithResolvers<void>; done: PromiseWithResolvers<void> };
const startLate = (stores: Stores, name: string) => {
  const { gate, done } = late;
  gate.promise.then(() => newFlow(stores, name)).then(() => done.resolve(), done.reject);
};

/** What a handler does wrong, besides the flow that it creates first. */
const mistakes: Record<string, (stores: Stores, name: string) => Promise<unknown>> = {
  'hides the failure of a statement': (stores) => newFlow(stores, refusedName).catch(() => undefined),
  'runs two statements at once, of which the first fails': (stores, name) =>
    Promise.all([newFlow(stores, refusedName), newFlow(stores, name)]),
  'runs two statements at once, of which the second fails': (stores, name) =>
    Promise.all([newFlow(stores, name), newFlow(stores, refusedName)]),
  'throws, and runs a statement later': async (stores, name) => {
    startLate(stores, name);
    throw new Error('a mistake');
  },
  'has a statement that fails, and runs another later': async (stores, name) => {
    startLate(stores, name);
    await newFlow(stores, refusedName);
  },
  'returns, and runs a statement later': async (stores, name) => startLate(stores, name),
};

const blunder = defineTool({
  name: 'blunder',
  title: 'Blunder',
  description: 'Makes a mistake.',
  rest: { method: 'POST', path: '/v1/trial/blunder' },
  input: v.strictObject({ mistake: v.string(), name: v.string() }),
  output: v.strictObject({}),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false },
  async handler({ stores }, { mistake, name }) {
    await newFlow(stores, name);
    await mistakes[mistake]?.(stores, name);
    return {};
  },
});

/** Resolves for two calls at once, when both hold their first lock. Later calls do not wait. */
let meeting = { arrived: 0, both: Promise.withResolvers<void>() };
let attempts = 0;
const cross = defineTool({
  name: 'cross',
  title: 'Cross',
  description: 'Locks two flows, one after the other.',
  rest: { method: 'POST', path: '/v1/trial/cross' },
  input: v.strictObject({ first: v.string(), second: v.string(), name: v.string() }),
  output: v.strictObject({}),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false },
  async handler({ stores }, { first, second, name }) {
    attempts += 1;
    await newFlow(stores, name);
    await stores.flows.hold([first]);
    meeting.arrived += 1;
    if (meeting.arrived === 2) meeting.both.resolve();
    await meeting.both.promise;
    await stores.flows.hold([second]);
    return {};
  },
});

let world: World;
let tenant: Tenant;
/** A session of the test, which holds locks. */
let session: pg.Client;
beforeAll(async () => {
  const database = await cloneDatabase();
  session = new pg.Client({ connectionString: database.url });
  await session.connect();
  const { rows } = await session.query<{ name: string }>('select current_database() as name');
  await session.query(`alter database ${rows[0]?.name} set deadlock_timeout = '50ms'`);
  await session.query(`alter table flows add constraint refused check (name <> '${refusedName}')`);
  world = await openWorld({ toolsets: { ...toolsets, trial: [blunder, cross] }, database });
});
afterAll(async () => {
  await session.end();
  await world.close();
});
beforeEach(async () => {
  tenant = await world.tenant();
  late = { gate: Promise.withResolvers(), done: Promise.withResolvers() };
  meeting = { arrived: 0, both: Promise.withResolvers() };
  attempts = 0;
});

afterEach(async () => {
  await session.query('rollback');
  await session.query('drop function if exists fail cascade');
  await expectHealthy();
});

/** Asserts that no failure left a connection that fails the next caller, or that keeps a transaction open. */
async function expectHealthy(): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Next' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  await untilIdle();
}

const post = (route: string, body: object, headers: Record<string, string> = {}) =>
  world.rest('POST', route, { key: tenant.key, body, headers });

const create = (body: object, headers: Record<string, string> = {}) =>
  post(`/v1/projects/${tenant.projectId}/flows`, { flowSchema: {}, ...body }, headers);

/** Waits until no connection is in a transaction, whether it runs a statement or not. */
const untilIdle = () =>
  vi.waitFor(async () => {
    const { rows } = await session.query(
      `select state, query from pg_stat_activity
       where datname = current_database() and application_name = 'parley-write' and state <> 'idle'`,
    );
    expect(rows).toEqual([]);
  }, often);

/** Counts the rows that a change may leave behind in the test's project. */
async function left(): Promise<Record<string, number>> {
  const tables = ['flows', 'flow_versions', 'conversations', 'audit_log', 'idempotency_keys'];
  const counts = tables.map(
    (table) => `(select count(*)::int from ${table} where project_id = $1) as ${table}`,
  );
  const { rows } = await session.query(`select ${counts.join(', ')}`, [tenant.projectId]);
  return Object.fromEntries(Object.entries<number>(rows[0]).filter(([, count]) => count > 0));
}

interface Failure {
  /** The event at which the database fails, as in `create trigger`. */
  readonly event: string;
  readonly state: string;
  /** How often it fails; always by default. */
  readonly times?: number;
  /** Fails at COMMIT, not at the statement. */
  readonly isDeferred?: boolean;
}

/** Makes the database fail until the end of the test. */
async function failAt({ event, state, times = 1_000_000, isDeferred = false }: Failure): Promise<void> {
  await session.query(`
    drop sequence if exists failures;
    create sequence failures;
    create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('failures') <= ${times} then raise exception '${words}' using errcode = '${state}'; end if;
        return new;
      end $$`);
  await session.query(
    isDeferred
      ? `create constraint trigger fail after ${event} deferrable initially deferred
         for each row execute function fail()`
      : `create trigger fail before ${event} for each row execute function fail()`,
  );
}

/** How often the failing event was reached. */
async function reached(): Promise<number> {
  const { rows } = await session.query(
    'select case when is_called then last_value else 0 end as n from failures',
  );
  return Number(rows[0]?.n);
}

function expectFailure({ status, headers, body }: RestAnswer, retryAfter: string | null): void {
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 500, retryAfter });
  expect(body.error.code).toBe('internal_error');
  expect(JSON.stringify(body)).not.toContain(words);
}

const whole = { flows: 1, flow_versions: 1, audit_log: 1, idempotency_keys: 1 };

describe.each([
  ["the handler's statement", 'insert on flows', false],
  ['the audit row', 'insert on audit_log', false],
  ['the stored response', 'update on idempotency_keys', false],
  ['COMMIT', 'insert on audit_log', true],
])('if Postgres fails at %s', (_where, event, isDeferred) => {
  test.each([
    ['P0001', null],
    ['57014', '1'],
  ])('with %s, the caller gets 500 and nothing is written', async (state, retryAfter) => {
    await failAt({ event, state, isDeferred });
    expectFailure(await create({ name: 'Flow' }, { 'idempotency-key': 'k' }), retryAfter);
    expect(await reached()).toBe(1);
    expect(await left()).toEqual({});
    await session.query('drop function fail cascade');
    expect((await create({ name: 'Flow' }, { 'idempotency-key': 'k' })).status).toBe(201);
    expect(await left()).toEqual(whole);
  });

  test('with a serialisation failure, the whole write is tried three times', async () => {
    await failAt({ event, state: '40001', isDeferred });
    expectFailure(await create({ name: 'Flow' }, { 'idempotency-key': 'k' }), null);
    expect(await reached()).toBe(3);
    expect(await left()).toEqual({});
  });

  test('with two deadlocks, the third attempt writes once', async () => {
    await failAt({ event, state: '40P01', times: 2, isDeferred });
    expect((await create({ name: 'Flow' }, { 'idempotency-key': 'k' })).status).toBe(201);
    expect(await reached()).toBe(3);
    expect(await left()).toEqual(whole);
  });
});

test('a failed audit row is an error over MCP too, and leaves nothing', async () => {
  await failAt({ event: 'insert on audit_log', state: 'P0001' });
  const client = await world.mcp('modern http', tenant.key);
  const input = { projectId: tenant.projectId, name: 'Flow', flowSchema: {} };
  const { isError, content } = await client.callTool({ name: 'create_flow', arguments: input });
  expect([isError, JSON.parse(content[0]?.text ?? '').error.code]).toEqual([true, 'internal_error']);
  expect(await left()).toEqual({});
});

describe.each([
  [401, 'unauthorized', `update api_keys set status = 'revoked' where project_id = $1`],
  [403, 'forbidden', `update projects set status = 'archived' where id = $1`],
])('%s %s outranks what the handler meets, and nothing is written', (status, code, change) => {
  test.each([
    ['nothing', undefined],
    ['an error of its own', 'P0001'],
    ['a deadlock', '40P01'],
    ['a lost lock', '55P03'],
  ])('if that is %s', async (_what, state) => {
    if (state !== undefined) await failAt({ event: 'insert on flows', state });
    await session.query(change, [tenant.projectId]);
    const withProfile = { name: 'Flow', agentProfileId: 'cap00000000000000000000000' };
    for (const body of [{ name: 'Flow' }, { name: refusedName }, withProfile])
      for (const headers of [{}, { 'idempotency-key': 'k' }]) {
        const answer = await create(body, headers);
        expect([answer.status, answer.body.error.code]).toEqual([status, code]);
      }
    expect(await left()).toEqual({});
    // The calls that follow use another project.
    tenant = await world.tenant();
  });
});

test('two calls that lock the same flows in opposite order both succeed, and write once each', async () => {
  const ids: string[] = [];
  for (const name of ['A', 'B']) ids.push((await create({ name })).body.id);
  const before = await left();
  const [a = '', b = ''] = ids;
  const answers = await Promise.all([
    post('/v1/trial/cross', { first: a, second: b, name: 'Crossed' }),
    post('/v1/trial/cross', { first: b, second: a, name: 'Crossed' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(attempts).toBe(3);
  const two = (count = 0) => count + 2;
  const { flows, flow_versions, audit_log } = before;
  expect(await left()).toEqual({
    flows: two(flows),
    flow_versions: two(flow_versions),
    audit_log: two(audit_log),
  });
});

describe('while the first statement of a change waits for a lock', () => {
  let flowId: string;
  beforeEach(async () => {
    flowId = (await create({ name: 'Before' })).body.id;
    await session.query('begin');
    await session.query('select 1 from flows where id = $1 for update', [flowId]);
  });

  const rename = (signal?: AbortSignal) =>
    fetch(`${world.base}/v1/flows/${flowId}`, {
      method: 'PATCH',
      headers: { 'x-api-key': tenant.key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'After' }),
      ...(signal && { signal }),
    });

  /** The process of Postgres in which the change waits. */
  const waiting = () =>
    vi.waitFor(async () => {
      const { rows } = await session.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
      return rows[0]?.pid;
    }, often);

  /** The name of the flow, and the number of audited changes of it. */
  async function outcome(): Promise<unknown[]> {
    const { rows } = await session.query(
      `select name, (select count(*)::int from audit_log where project_id = $1 and operation = 'update_flow') as audited
       from flows where id = $2`,
      [tenant.projectId, flowId],
    );
    return [rows[0]?.name, rows[0]?.audited];
  }

  test.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    '%s makes it fail with 500 and Retry-After, and nothing is written',
    async (end) => {
      const answer = rename();
      await session.query(`select ${end}($1)`, [await waiting()]);
      const { status, headers } = await answer;
      expect([status, headers.get('retry-after')]).toEqual([500, '1']);
      await session.query('rollback');
      expect(await outcome()).toEqual(['Before', 0]);
    },
  );

  test('a client that leaves gets the whole change or none', async () => {
    const leaving = new AbortController();
    const answer = rename(leaving.signal);
    await waiting();
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await session.query('rollback');
    await untilIdle();
    expect([
      ['Before', 0],
      ['After', 1],
    ]).toContainEqual(await outcome());
  });
});

describe('a handler that', () => {
  const made = { flows: 1, flow_versions: 1, audit_log: 1 };

  test.each(Object.keys(mistakes))('%s writes nothing outside of its transaction', async (mistake) => {
    for (let round = 0; round < 5; round++) {
      const { status } = await post('/v1/trial/blunder', { mistake, name: 'Blunder' });
      const succeeds = mistake.startsWith('returns');
      expect(status).toBe(succeeds ? 200 : 500);
      const runsLater = mistake.includes('later');
      late.gate.resolve();
      if (runsLater) await expect(late.done.promise).rejects.toBeInstanceOf(Error);
      await untilIdle();
      expect(await left()).toEqual(succeeds ? made : {});
      tenant = await world.tenant();
      late = { gate: Promise.withResolvers(), done: Promise.withResolvers() };
    }
  });
});
