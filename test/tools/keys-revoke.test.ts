import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const revoke = (id: string, key = tenant.key, body?: unknown) =>
  world.rest('POST', `/v1/keys/${id}/revoke`, { key, body });
const current = async (key: string) => (await world.rest('GET', '/v1/keys/current', { key })).status;

test('returns the revoked record, and the key no longer works', async () => {
  const { keyId, key } = await world.key(tenant.projectId, { scope: 'service_app' });
  expect(await current(key)).toBe(200);
  const { status, body } = await revoke(keyId);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: keyId,
    projectId: tenant.projectId,
    name: 'Key',
    keyType: 'secret',
    scope: 'service_app',
    keyPrefix: key.slice(0, 14),
    last4: key.slice(-4),
    status: 'revoked',
  });
  expect(Object.keys(body)).toHaveLength(9);
  expect(await current(key)).toBe(401);
});

test('returns the same response if a key is revoked twice', async () => {
  const { keyId, key } = await world.key(tenant.projectId);
  const first = await revoke(keyId);
  const second = await revoke(keyId, tenant.key, {});
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
  expect(await current(key)).toBe(401);
});

test('does not let a key revoke itself', async () => {
  const { status, body } = await revoke(tenant.keyId);
  expect([status, body.error.code]).toEqual([409, 'cannot_revoke_current_key']);
  expect(await current(tenant.key)).toBe(200);
});

test('returns the same 404 for an unknown key and a key of another project', async () => {
  const other = await world.tenant();
  const sibling = await world.tenant({ organizationId: tenant.organizationId });
  const unknown = `cak${'0'.repeat(26)}`;
  const bodies = [];
  for (const id of [unknown, other.keyId, sibling.keyId, 'cfl0000000', 'czz0000000']) {
    const { status, body } = await revoke(id);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    bodies.push(JSON.stringify({ ...body.error, requestId: '' }).replaceAll(id, 'the id'));
  }
  expect(new Set(bodies).size).toBe(1);
  expect(await current(other.key)).toBe(200);
  expect(await current(sibling.key)).toBe(200);
  expect((await revoke('x')).status).toBe(400);
});

test('revokes a key of a paused or archived project', async () => {
  const { projectId, key } = await world.tenant();
  for (const status of ['paused', 'archived']) {
    await world.rest('PATCH', `/v1/projects/${projectId}`, { key, body: { status } });
    const { keyId } = await world.key(projectId);
    expect((await revoke(keyId, key)).body).toMatchObject({ id: keyId, status: 'revoked' });
  }
});

test('requires the access admin', async () => {
  const { keyId, key: victim } = await world.key(tenant.projectId);
  const narrow = await world.key(tenant.projectId, { access: ['read', 'run', 'draft', 'publish'] });
  const service = await world.key(tenant.projectId, { scope: 'service_platform' });
  for (const { key } of [narrow, service]) expect((await revoke(keyId, key)).status).toBe(403);
  expect(await current(victim)).toBe(200);
});

test('rejects calls on an open MCP connection after its key is revoked', async () => {
  const { keyId, key } = await world.key(tenant.projectId);
  const client = await world.mcp('legacy http', key);
  expect((await client.callTool({ name: 'list_projects', arguments: {} })).isError).toBeFalsy();
  await revoke(keyId);
  await expect(client.callTool({ name: 'list_projects', arguments: {} })).rejects.toThrow(
    /401|unauthorized/i,
  );
});

test('revokes one of two keys that revoke each other at once, in each of 200 trials', async () => {
  const replica = await openSecondReplica(world);
  const { projectId } = await world.tenant();
  const trial = async () => {
    const pair = [await world.key(projectId), await world.key(projectId)];
    const at = [world.base, replica.base];
    const statuses = await Promise.all(
      pair.map(async ({ key }, index) => {
        const route = `${at[index]}/v1/keys/${pair[1 - index]?.keyId}/revoke`;
        const reply = await fetch(route, { method: 'POST', headers: { 'x-api-key': key } });
        await reply.arrayBuffer();
        return reply.status;
      }),
    );
    return { ids: pair.map(({ keyId }) => keyId), statuses: statuses.toSorted((a, b) => a - b).join(' ') };
  };
  const trials: Awaited<ReturnType<typeof trial>>[] = [];
  try {
    // In batches, because more at once would wait too long for a connection.
    for (let batch = 0; batch < 8; batch++)
      trials.push(...(await Promise.all(Array.from({ length: 25 }, trial))));
  } finally {
    await replica.close();
  }
  const rows = await world.rows(`select id from api_keys where status = 'revoked'`);
  const revoked = new Set(rows.map(({ id }) => id));
  const outcomes = trials.map(({ ids, statuses }) => {
    const count = ids.filter((id) => revoked.has(id)).length;
    return `${count} revoked, ${statuses}`;
  });
  // To revoke both would leave a project with two keys without any.
  expect(outcomes).toEqual(Array.from({ length: 200 }, () => '1 revoked, 200 401'));
});
