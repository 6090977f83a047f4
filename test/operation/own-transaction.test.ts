import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwnTransactionContext } from '../../src/environment/context.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Bytes, EventStream } from '../../src/operation/result.ts';
import type { Stores } from '../../src/store/stores.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

/** The remote call that handlers wait for. `seen` counts the waiting handlers, and all that ever started. */
let outside = Promise.resolve();
const seen = { waiting: 0, come: 0 };

const newFlow = async (stores: Stores, name: string) => {
  const { id } = await stores.flows.create({
    name,
    type: 'simple',
    description: null,
    agentProfileId: null,
    flowSchema: { json: '{}', value: {} },
  });
  return { id };
};

/** What a handler does with its one write. */
const ways: Record<string, (context: OwnTransactionContext, name: string) => Promise<{ id: string }>> = {
  writes: ({ write }, name) => write((stores) => newFlow(stores, name)),
  'writes nothing': async () => ({ id: 'cfl000000' }),
  'throws first': async () => {
    throw new Error('upstream is down');
  },
  'throws inside': ({ write }, name) =>
    write(async (stores) => {
      await newFlow(stores, name);
      throw new Error('in the middle');
    }),
  'throws afterwards': async ({ write }, name) => {
    await write((stores) => newFlow(stores, name));
    throw new Error('too late');
  },
  'writes twice': async ({ write }, name) => {
    await write((stores) => newFlow(stores, name));
    return write((stores) => newFlow(stores, name));
  },
  'answers otherwise': async ({ write }, name) => {
    await write((stores) => newFlow(stores, name));
    return { id: 'cfl000000' };
  },
  'writes too much': ({ write }, name) =>
    write(async (stores) => ({ ...(await newFlow(stores, name)), hash: 'secret' })),
  'writes on its own': async ({ stores }, name) => newFlow(stores, name),
};

const effect = { readOnly: false, destructive: false, idempotent: false, transaction: 'own' } as const;

const fetchAndCreate = defineTool({
  name: 'fetch_and_create',
  title: 'Fetch and create',
  description: 'Waits outside, then writes.',
  rest: { method: 'POST', path: '/v1/trial/own' },
  input: v.strictObject({ name: v.string(), way: v.optional(v.string(), 'writes') }),
  output: v.strictObject({ id: v.string() }),
  access: 'draft',
  effect,
  async handler(context, { name, way }) {
    seen.come++;
    seen.waiting++;
    await outside;
    seen.waiting--;
    return ways[way]?.(context, name) ?? { id: 'cfl000000' };
  },
});

const streams = (['events', 'bytes'] as const).map((kind) =>
  defineTool({
    name: `answer_${kind}`,
    title: 'Answer',
    description: 'Answers with no value.',
    rest: { method: 'POST', path: `/v1/trial/${kind}` },
    input: v.strictObject({}),
    output: v.strictObject({ id: v.string() }),
    access: 'run',
    effect,
    results: [kind],
    async handler() {
      seen.come++;
      async function* events() {
        yield { n: 1 };
        return { id: 'x' };
      }
      async function* body() {
        yield Uint8Array.of(1);
      }
      return kind === 'events' ? new EventStream(events()) : (new Bytes('image/png', body()) as never);
    },
  }),
);

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [fetchAndCreate, ...streams] } });
});
afterAll(() => world.close());
beforeEach(async () => {
  tenant = await world.tenant();
  outside = Promise.resolve();
});

const call = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  world.rest('POST', '/v1/trial/own', { key: tenant.key, body, headers });

/** Counts the rows of the project. */
async function left(): Promise<unknown> {
  const [row] = await world.rows(
    `select (select count(*)::int from flows where project_id = $1) as flows,
       (select count(*)::int from audit_log where project_id = $1) as audited,
       (select count(*)::int from idempotency_keys where project_id = $1) as keys`,
    [tenant.projectId],
  );
  return row;
}

describe('a handler with a transaction of its own', () => {
  test('writes with its audit row and its idempotency record, and returns what it wrote', async () => {
    const { status, body } = await call({ name: 'A' }, { 'idempotency-key': 'k' });
    expect(status).toBe(200);
    expect(await left()).toStrictEqual({ flows: 1, audited: 1, keys: 1 });
    expect(await world.rows(`select id from flows where name = 'A'`)).toStrictEqual([{ id: body.id }]);
  });

  test.each([
    ['writes nothing', 200, { flows: 0, audited: 0, keys: 0 }],
    ['throws first', 500, { flows: 0, audited: 0, keys: 0 }],
    ['throws inside', 500, { flows: 0, audited: 0, keys: 0 }],
    ['writes too much', 500, { flows: 0, audited: 0, keys: 0 }],
    ['writes on its own', 500, { flows: 0, audited: 0, keys: 0 }],
    ['throws afterwards', 500, { flows: 1, audited: 1, keys: 1 }],
    ['answers otherwise', 500, { flows: 1, audited: 1, keys: 1 }],
    ['writes twice', 500, { flows: 1, audited: 1, keys: 1 }],
  ])('that %s returns %i and leaves %j', async (way, wanted, rows) => {
    const { status, body } = await call({ name: 'B', way }, { 'idempotency-key': 'k' });
    expect(status).toBe(wanted);
    if (wanted === 500) expect(Object.keys(body.error)).toStrictEqual(['code', 'message', 'requestId']);
    expect(await left()).toStrictEqual(rows);
  });

  test('that failed after its write returns what it wrote on a retry, and does not run again', async () => {
    const body = { name: 'C', way: 'throws afterwards' };
    expect((await call(body, { 'idempotency-key': 'k' })).status).toBe(500);
    const before = seen.come;
    const retried = await call(body, { 'idempotency-key': 'k' });
    const [row] = await world.rows('select id from flows where project_id = $1', [tenant.projectId]);
    expect({ status: retried.status, body: retried.body, come: seen.come }).toStrictEqual({
      status: 200,
      body: row,
      come: before,
    });
  });

  test('does not run for a revoked key', async () => {
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [tenant.keyId]);
    const before = seen.come;
    expect((await call({ name: 'D' })).status).toBe(401);
    expect(seen.come).toBe(before);
  });

  test('holds no connection while it waits: other calls succeed while many wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    outside = promise;
    const calls = Array.from({ length: 40 }, (_, index) => call({ name: `E${index}` }));
    await vi.waitFor(() => expect(seen.waiting).toBe(40), { timeout: 10_000 });
    const [row] = await world.rows(
      `select count(*)::int as busy from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    expect(row).toStrictEqual({ busy: 0 });
    outside = Promise.resolve();
    for (let other = 0; other < 5; other++) expect((await call({ name: 'Other' })).status).toBe(200);
    resolve();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
    expect(await left()).toStrictEqual({ flows: 45, audited: 45, keys: 0 });
  });

  test('writes once for one idempotency key, however many calls wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    outside = promise;
    const calls = Array.from({ length: 12 }, () => call({ name: 'F' }, { 'idempotency-key': 'same' }));
    const other = call({ name: 'Other' }, { 'idempotency-key': 'same' });
    await vi.waitFor(() => expect(seen.waiting).toBe(13), { timeout: 10_000 });
    resolve();
    const answers = await Promise.all(calls);
    const refused = await other;
    // The first write owns the key. Calls with the same input get its response, and the others are refused.
    const won = refused.status === 200 ? [refused] : answers;
    const lost = refused.status === 200 ? answers : [refused];
    expect(new Set(won.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(won[0]?.status).toBe(200);
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.error.code}`))).toStrictEqual(
      new Set(['400 invalid_request']),
    );
    expect(await left()).toStrictEqual({ flows: 1, audited: 1, keys: 1 });
  });
});

describe.each(['events', 'bytes'])('an operation that may return %s', (kind) => {
  const post = (headers: Record<string, string>) =>
    world.rest('POST', `/v1/trial/${kind}`, { key: tenant.key, headers });

  test('ignores an idempotency key and runs each time', async () => {
    const before = seen.come;
    for (const key of ['k', 'k', ' ']) expect((await post({ 'idempotency-key': key })).status).toBe(200);
    const client = await world.mcp('modern http', tenant.key);
    const call = { name: `answer_${kind}`, arguments: {}, _meta: { 'parley/idempotencyKey': 'k' } };
    expect((await client.callTool(call)).isError).toBeUndefined();
    expect(seen.come).toBe(before + 4);
  });
});
