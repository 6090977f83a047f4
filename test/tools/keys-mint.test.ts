import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolsOf } from '../../src/environment/selection.ts';
import { toolsets } from '../../tools/index.ts';
import { exampleRequests } from '../faults/example-requests.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const mint = (body: unknown, { key = tenant.key, projectId = tenant.projectId } = {}) =>
  world.rest('POST', `/v1/projects/${projectId}/keys`, { key, body });
const keys = async (): Promise<Record<string, unknown>[]> =>
  (await world.rest('GET', `/v1/projects/${tenant.projectId}/keys`, { key: tenant.key })).body.keys;

test('returns 201 with the record and the key; later reads return the record alone', async () => {
  const { status, body } = await mint({ keyType: 'publishable', name: 'Website', scope: 'service_platform' });
  expect(status).toBe(201);
  const { key, ...record } = body;
  expect(key).toMatch(/^parley_pk_[0-9A-Za-z]{49}$/);
  expect(record).toEqual({
    id: expect.stringMatching(/^cak[0-9a-v]{26}$/),
    projectId: tenant.projectId,
    name: 'Website',
    keyType: 'publishable',
    scope: 'service_platform',
    keyPrefix: key.slice(0, 14),
    last4: key.slice(-4),
    status: 'active',
    lastUsedAt: null,
  });
  expect((await keys())[0]).toEqual(record);
});

test('needs neither name nor scope', async () => {
  const { status, body } = await mint({ keyType: 'publishable' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'Publishable key', scope: 'service_app' });
});

test.each([
  ['a name of one character', { name: 'x' }, 201],
  ['a name of a hundred characters', { name: 'ü'.repeat(100) }, 201],
  ['an empty name', { name: '' }, 400],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 400],
  ['a name that is null', { name: null }, 400],
  ['the scope service_platform', { scope: 'service_platform' }, 201],
  ['the scope platform', { scope: 'platform' }, 201],
  ['an unknown scope', { scope: 'admin' }, 400],
  ['an access', { access: ['read'] }, 400],
  ['an id', { id: 'cak000000000000000000000000' }, 400],
  ['a status', { status: 'revoked' }, 400],
  ['no keyType', { keyType: undefined }, 400],
  ['a keyType that is null', { keyType: null }, 400],
  ['an unknown keyType', { keyType: 'private' }, 400],
  ['Secret in capitals', { keyType: 'Secret' }, 400],
  ['a keyType in a list', { keyType: ['secret'] }, 400],
])('mints with %s', async (_, members, expected) => {
  const before = (await keys()).length;
  const { status, body } = await mint({ keyType: 'publishable', ...members });
  expect(status).toBe(expected);
  if (status === 400) {
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.details.issues).toEqual([
      { in: 'body', path: `/${Object.keys(members)[0]}`, message: expect.any(String) },
    ]);
  }
  expect((await keys()).length - before).toBe(status === 201 ? 1 : 0);
});

test('rejects a secret key before any other error, but after 401 and 403', async () => {
  const other = await world.tenant();
  const wrong = { keyType: 'secret', name: '', scope: 'everything', unknown: true };
  for (const body of [{ keyType: 'secret' }, { keyType: 'secret', name: 'Fine' }, wrong])
    for (const projectId of [tenant.projectId, other.projectId, 'cpr00000000', 'cfl00000000', 'x', '%FF']) {
      const answer = await mint(body, { projectId });
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('secret_keys_not_mintable');
    }
  const unknownQuery = await world.rest('POST', `/v1/projects/x/keys?unknown=1`, {
    key: tenant.key,
    body: { keyType: 'secret' },
    headers: { 'idempotency-key': 'ü'.repeat(300) },
  });
  expect(unknownQuery.body.error.code).toBe('secret_keys_not_mintable');

  expect((await mint(wrong, { key: 'no key' })).status).toBe(401);
  for (const options of [{ scope: 'service_platform' }, { type: 'publishable' }] as const) {
    const { key } = await world.key(tenant.projectId, options);
    const { status, body } = await mint(wrong, { key });
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  }
  const archived = await world.tenant();
  await world.rest('PATCH', `/v1/projects/${archived.projectId}`, {
    key: archived.key,
    body: { status: 'archived' },
  });
  expect((await mint(wrong, archived)).status).toBe(403);
});

test('rejects a secret key over MCP with the same message', async () => {
  const client = await world.mcp('modern http', tenant.key);
  const result = await client.callTool({
    name: 'mint_key',
    arguments: { projectId: 'x', keyType: 'secret' },
  });
  expect(result.isError).toBe(true);
  expect(result.structuredContent ?? JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
    error: { code: 'secret_keys_not_mintable' },
  });
});

test('mints keys for its own project only', async () => {
  const other = await world.tenant();
  const { status, body } = await mint({ keyType: 'publishable' }, { projectId: other.projectId });
  expect([status, body.error.code]).toEqual([404, 'not_found']);
});

test('returns 403 to a minted key on every operation that it may not call, and 401 after its revocation', async () => {
  const { body: minted } = await mint({ keyType: 'publishable', scope: 'platform' });
  const example = exampleRequests(world, tenant);
  const guarded = toolsOf(toolsets).filter(({ access, special }) => access !== 'none' && !special.browsers);
  const requests: Awaited<ReturnType<typeof example>>[] = [];
  // A few at a time: on a busy machine, more would wait too long for a connection.
  for (let next = 0; next < guarded.length; next += 8)
    requests.push(...(await Promise.all(guarded.slice(next, next + 8).map(example))));
  const statuses = async () =>
    (
      await Promise.all(
        requests.map(({ method, route, body }) => world.rest(method, route, { key: minted.key, body })),
      )
    ).map(({ status, body }) => `${status} ${body.error?.code}`);

  expect(new Set(await statuses())).toEqual(new Set(['403 forbidden']));
  expect((await world.rest('GET', '/healthz', { key: minted.key })).status).toBe(200);
  expect((await world.rest('POST', `/v1/keys/${minted.id}/revoke`, { key: tenant.key })).status).toBe(200);
  expect(new Set(await statuses())).toEqual(new Set(['401 unauthorized']));
});

test('shows a publishable key no tool over MCP, and forbids every call', async () => {
  const { body: minted } = await mint({ keyType: 'publishable', scope: 'platform' });
  const client = await world.mcp('modern http', minted.key);
  expect((await client.listTools()).tools).toEqual([]);
  const result = await client.callTool({ name: 'list_projects', arguments: {} });
  expect(result.isError).toBe(true);
  expect(result.structuredContent ?? JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
    error: { code: 'forbidden' },
  });
});
