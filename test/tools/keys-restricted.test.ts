import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const create = (body: unknown, key = tenant.key) =>
  world.rest('POST', `/v1/projects/${tenant.projectId}/restricted-keys`, { key, body });
const statusOf = async (key: string) => (await world.rest('GET', '/v1/keys/current', { key })).status;

test('returns a secret key once, which has that access and no more', async () => {
  const { status, body } = await create({ name: 'Reports', access: ['read'], days: 7 });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'Reports', keyType: 'secret', access: ['read'], status: 'active' });
  expect(body.key).toMatch(/^parley_sk_/);
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  expect(await statusOf(body.key)).toBe(200);
  const flow = { name: 'Flow', flowSchema: {} };
  const route = `/v1/projects/${tenant.projectId}/flows`;
  expect((await world.rest('POST', route, { key: body.key, body: flow })).status).toBe(403);
  const { body: list } = await world.rest('GET', `/v1/projects/${tenant.projectId}/keys`, tenant);
  expect(JSON.stringify(list)).not.toContain(body.key);
});

test('never gives more access than the key in use has', async () => {
  const { body: draft } = await create({ name: 'Drafts', access: ['read', 'draft'] });
  for (const access of [['publish'], ['read', 'admin'], ['run']]) {
    const { status, body } = await create({ name: 'More', access }, draft.key);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  }
  expect((await create({ name: 'Less', access: ['read'] }, draft.key)).status).toBe(201);
  expect((await create({ name: 'Equal', access: ['draft', 'read'] }, draft.key)).body.access).toEqual([
    'read',
    'draft',
  ]);
  const { body: read } = await create({ name: 'Read', access: ['read'] });
  expect((await create({ name: 'Read', access: ['read'] }, read.key)).status).toBe(403);
});

test('an expired key is refused everywhere, also by a server that has used it before', async () => {
  const { body: made } = await create({ name: 'Short', access: ['read', 'draft'], days: 1 });
  const client = await world.mcp('modern http', made.key);
  expect(await statusOf(made.key)).toBe(200);
  const expire = `update api_keys set expires_at = now() - interval '1 second' where id = $1`;
  await world.rows(expire, [made.id]);
  expect(await statusOf(made.key)).toBe(401);
  const flow = { name: 'Flow', flowSchema: {} };
  const route = `/v1/projects/${tenant.projectId}/flows`;
  expect((await world.rest('POST', route, { key: made.key, body: flow })).status).toBe(401);
  await expect(client.callTool({ name: 'get_current_key', arguments: {} })).rejects.toThrow(
    /401|unauthorized/i,
  );
  const { body } = await world.rest('GET', `/v1/projects/${tenant.projectId}/keys`, tenant);
  expect(body.keys.find(({ id }: { id: string }) => id === made.id).status).toBe('revoked');
});

test('a key ends with the key that made it', async () => {
  const { body: parent } = await create({ name: 'Parent', access: ['read', 'draft'], days: 2 });
  const { body: child } = await create({ name: 'Child', access: ['read', 'draft'], days: 30 }, parent.key);
  const { body: grandchild } = await create({ name: 'Grandchild', access: ['read'] }, child.key);
  expect([child.expiresAt, grandchild.expiresAt]).toEqual([parent.expiresAt, parent.expiresAt]);
  expect(await statusOf(grandchild.key)).toBe(200);
  await world.rest('POST', `/v1/keys/${parent.id}/revoke`, { key: tenant.key });
  for (const { key } of [parent, child, grandchild]) expect(await statusOf(key)).toBe(401);
  expect(await statusOf(tenant.key)).toBe(200);
});
