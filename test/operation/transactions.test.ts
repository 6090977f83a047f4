import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ToolError } from '../../src/platform/errors.ts';
import type { Stores } from '../../src/store/stores.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

const newFlow = (stores: Stores, name: string) =>
  stores.flows.create({
    name,
    type: 'simple',
    description: null,
    agentProfileId: null,
    flowSchema: { json: '{}', value: {} },
  });

const reads = { readOnly: true, destructive: false, idempotent: true } as const;
const writes = { readOnly: false, destructive: false, idempotent: false } as const;
const common = {
  title: 'Trial',
  description: 'Is tried.',
  input: v.strictObject({ how: v.string() }),
  output: v.strictObject({ count: v.number() }),
} as const;

/** Creates two flows, and then returns or fails as `how` says. */
const create = defineTool({
  ...common,
  name: 'create',
  rest: { method: 'POST', path: '/v1/trial/create' },
  access: 'draft',
  effect: writes,
  errors: { 409: ['in_use'], 503: ['kb_query_unavailable'] },
  async handler({ stores }, { how }) {
    await newFlow(stores, how);
    await newFlow(stores, how);
    if (how === 'throws') throw new Error('insert into flows failed at 10.0.0.1');
    if (how === 'refuses') throw new ToolError('in_use', 'Taken.');
    if (how === 'is unable') {
      const options = { details: { host: '10.0.0.1' }, cause: new Error('secret') };
      throw new ToolError('kb_query_unavailable', 'insert into flows failed', options);
    }
    if (how === 'throws nothing') throw undefined as unknown as Error;
    if (how === 'answers too much') return { count: 2, hash: 'secret' } as { count: number };
    if (how === 'answers too little') return {} as { count: number };
    return { count: 2 };
  },
});

const peek = defineTool({
  ...common,
  name: 'peek',
  rest: { method: 'POST', path: '/v1/trial/peek' },
  access: 'read',
  effect: reads,
  async handler({ stores }, { how }) {
    await newFlow(stores, how);
    return { count: 1 };
  },
});

const peekAtMoment = defineTool({
  ...common,
  name: 'peek_at_moment',
  rest: { method: 'POST', path: '/v1/trial/peek-at-moment' },
  access: 'read',
  effect: { ...reads, transaction: 'snapshot' },
  async handler({ stores }, { how }) {
    await newFlow(stores, how);
    return { count: 1 };
  },
});

/** Runs between the two reads of a handler. A test sets it. */
let meanwhile = async () => {};

const looking = {
  ...common,
  output: v.strictObject({ before: v.number(), after: v.number() }),
  access: 'read',
  async handler({ stores }: { stores: Stores }) {
    const count = async () => (await stores.flows.list({ limit: 100 })).items.length;
    const before = await count();
    await meanwhile();
    return { before, after: await count() };
  },
} as const;

const look = defineTool({
  ...looking,
  name: 'look',
  rest: { method: 'GET', path: '/v1/trial/look/{how}' },
  effect: reads,
});

const lookAtMoment = defineTool({
  ...looking,
  name: 'look_at_moment',
  rest: { method: 'GET', path: '/v1/trial/look-at-moment/{how}' },
  effect: { ...reads, transaction: 'snapshot' },
});

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [create, peek, peekAtMoment, look, lookAtMoment] } });
});
beforeAll(async () => {
  tenant = await world.tenant();
});
afterAll(() => world.close());

const post = (route: string, how: string, headers: Record<string, string> = {}) =>
  world.rest('POST', `/v1/trial/${route}`, { key: tenant.key, body: { how }, headers });

/** Counts the rows of everything that a change may leave behind. */
async function left(name: string) {
  const [row] = await world.rows(
    `select (select count(*)::int from flows where name = $1) as flows,
       (select count(*)::int from flow_versions v join flows f on f.id = v.flow_id where f.name = $1) as versions,
       (select count(*)::int from audit_log) as audited,
       (select count(*)::int from idempotency_keys) as keys`,
    [name],
  );
  return row;
}

describe('a change', () => {
  test('that succeeds leaves its rows, one audit row and its idempotency record', async () => {
    const before = await left('works');
    const { status, body, headers } = await post('create', 'works', { 'idempotency-key': 'works' });
    expect({ status, body }).toStrictEqual({ status: 200, body: { count: 2 } });
    expect(before).toStrictEqual({ flows: 0, versions: 0, audited: 0, keys: 0 });
    expect(await left('works')).toStrictEqual({ flows: 2, versions: 2, audited: 1, keys: 1 });
    expect(await world.rows('select * from audit_log')).toStrictEqual([
      {
        project_id: tenant.projectId,
        id: expect.stringMatching(/^cau/),
        key_id: tenant.keyId,
        operation: 'create',
        request_id: headers.get('x-request-id'),
        input_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        output_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        resource_id: null,
        summary: 'changed how',
        former: (await world.rows(`select id from flows where name = 'works' order by id`)).map(({ id }) => ({
          table: 'flows',
          id,
          made: true,
        })),
        created_at: expect.any(Date),
      },
    ]);
  });

  test.each([
    ['throws', 500],
    ['throws nothing', 500],
    ['is unable', 503],
    ['refuses', 409],
    ['answers too much', 500],
    ['answers too little', 500],
  ])('whose handler %s leaves nothing: no row, no audit row, no idempotency record', async (how, wanted) => {
    const before = await left(how);
    const { status, body } = await post('create', how, { 'idempotency-key': `key-${wanted}` });
    expect(status).toBe(wanted);
    expect(await left(how)).toStrictEqual(before);
    if (wanted >= 500) expect(Object.keys(body.error)).toStrictEqual(['code', 'message', 'requestId']);
    if (wanted === 500) expect(body.error.code).toBe('internal_error');
    expect(JSON.stringify(body)).not.toMatch(/insert|10\.0\.0\.1|hash|secret|schema/);
  });

  test('that failed over MCP leaves nothing either', async () => {
    const client = await world.mcp('modern http', tenant.key);
    const before = await left('throws');
    const result = await client.callTool({ name: 'create', arguments: { how: 'throws' } });
    expect(result.isError).toBe(true);
    expect(await left('throws')).toStrictEqual(before);
  });
});

describe('an operation that is declared readOnly', () => {
  test.each(['peek', 'peek-at-moment'])('is refused by Postgres if it writes: %s', async (route) => {
    const before = await left(route);
    const { status, body } = await post(route, route);
    expect({ status, code: body.error.code }).toStrictEqual({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(body)).not.toMatch(/read-only|INSERT|insert|transaction/);
    expect(await left(route)).toStrictEqual(before);
  });

  test('leaves no audit row and no idempotency record', async () => {
    const before = await left('look');
    meanwhile = async () => {};
    const headers = { 'idempotency-key': 'read' };
    const { status } = await world.rest('GET', '/v1/trial/look/x', { key: tenant.key, headers });
    expect(status).toBe(200);
    expect(await left('look')).toStrictEqual(before);
  });
});

describe('reads', () => {
  const lookNow = (route: string, key: string) => world.rest('GET', `/v1/trial/${route}/x`, { key });

  test('without a transaction each see the current rows', async () => {
    const { key, projectId } = await world.tenant();
    meanwhile = async () => void (await newFlow(world.stores(projectId), 'Meanwhile'));
    expect((await lookNow('look', key)).body).toStrictEqual({ before: 0, after: 1 });
  });

  test('in a snapshot see one moment of the database', async () => {
    const { key, projectId } = await world.tenant();
    meanwhile = async () => void (await newFlow(world.stores(projectId), 'Meanwhile'));
    expect((await lookNow('look-at-moment', key)).body).toStrictEqual({ before: 0, after: 0 });
    meanwhile = async () => {};
    expect((await lookNow('look-at-moment', key)).body).toStrictEqual({ before: 1, after: 1 });
  });

  test('in a snapshot return 401 for a revoked key and 500 if they fail', async () => {
    const { key, keyId } = await world.tenant();
    meanwhile = async () => {
      throw new Error('select from nowhere');
    };
    expect((await lookNow('look-at-moment', key)).status).toBe(500);
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    expect((await lookNow('look-at-moment', key)).status).toBe(401);
    meanwhile = async () => {};
    expect((await lookNow('look-at-moment', key)).status).toBe(401);
  });
});
