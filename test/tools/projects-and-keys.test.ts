import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { createOrganization, createProject } from '../../src/resources/projects/provisioning.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  const organizationId = await createOrganization(world.core.knex, 'Org');
  const projectId = await createProject(world.core.knex, { name: 'Mine', organizationId });
  tenant = { organizationId, projectId, ...(await world.key(projectId)) };
});
afterAll(() => world.close());

const get = (route: string, key: string = tenant.key) => world.rest('GET', route, { key });

describe('the project of a key', () => {
  test('is exactly the record, with the defaults of a new project and its settings', async () => {
    const { status, body } = await get(`/v1/projects/${tenant.projectId}`);
    expect(status).toBe(200);
    const record = {
      id: tenant.projectId,
      organizationId: tenant.organizationId,
      name: 'Mine',
      description: null,
      status: 'active',
      plan: 'free',
      type: 'platform',
      mode: 'advanced',
      channels: ['phone', 'website'],
      industry: null,
      createdAt: timestamp,
      updatedAt: body.createdAt,
    };
    expect(body).toStrictEqual({
      ...record,
      requireDisclosure: false,
      sessionRetentionDays: 30,
      timeZone: 'UTC',
      openingHours: null,
      closedOn: [],
    });
    // The list has the record of the contract, without the settings.
    expect((await get('/v1/projects')).body).toStrictEqual({ projects: [record] });
  });

  test('shows what was set', async () => {
    const other = await world.tenant({ plan: 'pro', mode: 'simple', type: 'hotline' });
    await world.rows(
      `update projects set description = 'Said', industry = 'health', channels = '{website}', status = 'paused'
       where id = $1`,
      [other.projectId],
    );
    expect((await get(`/v1/projects/${other.projectId}`, other.key)).body).toMatchObject({
      description: 'Said',
      status: 'paused',
      plan: 'pro',
      type: 'hotline',
      mode: 'simple',
      channels: ['website'],
      industry: 'health',
    });
  });

  test('is the only one: another one returns 404, even of the same organization', async () => {
    const sibling = await world.tenant({ organizationId: tenant.organizationId });
    const stranger = await world.tenant();
    const missing = newId('project');
    const bodies = [];
    for (const id of [sibling.projectId, stranger.projectId, missing]) {
      const { status, body } = await get(`/v1/projects/${id}`);
      expect(status).toBe(404);
      const { requestId: _, message, ...error } = body.error;
      bodies.push({ ...error, message: message.replace(id, 'ID') });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect((await get('/v1/projects')).body.projects).toHaveLength(1);
  });

  test('needs a well-formed id', async () => {
    for (const id of ['x', 'cabcde', 'CABCDEFG', 'c-000000', 'dpr000000', 'cpr00000%20']) {
      const { status, body } = await get(`/v1/projects/${id}`);
      expect({ status, issues: body.error.details?.issues }, id).toStrictEqual({
        status: 400,
        issues: [{ in: 'params', path: '/projectId', message: expect.any(String) }],
      });
    }
    for (const id of ['c000000', 'C000000', `c${'0'.repeat(63)}`, newId('flow')])
      expect((await get(`/v1/projects/${id}`)).status, id).toBe(404);
  });
});

describe('the current key', () => {
  test.each([
    ['secret', 'platform'],
    ['secret', 'service_platform'],
    ['secret', 'service_app'],
  ] as const)('is exactly the record: %s, %s', async (type, scope) => {
    const { key, keyId } = await world.key(tenant.projectId, { type, scope });
    const { status, body } = await get('/v1/keys/current', key);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      id: keyId,
      projectId: tenant.projectId,
      name: 'Key',
      keyType: type,
      scope,
      keyPrefix: key.slice(0, 'parley_sk_'.length + 4),
      last4: key.slice(-4),
      status: 'active',
      lastUsedAt: null,
    });
    expect(JSON.stringify(body)).not.toContain(key);
  });

  test('shows its last use', async () => {
    const { key, keyId } = await world.key(tenant.projectId);
    await world.rows(`update api_keys set last_used_at = '2026-01-02 03:04:05.678+00' where id = $1`, [
      keyId,
    ]);
    expect((await get('/v1/keys/current', key)).body.lastUsedAt).toBe('2026-01-02T03:04:05.678Z');
  });

  test('is rejected on every operation from the moment of its revocation', async () => {
    const { key, keyId } = await world.key(tenant.projectId);
    const routes = [
      '/v1/keys/current',
      '/v1/projects',
      `/v1/projects/${tenant.projectId}/flows`,
      '/v1/flows/c000000',
    ];
    const statuses = async () => Promise.all(routes.map(async (route) => (await get(route, key)).status));
    expect(await statuses()).toStrictEqual([200, 200, 200, 404]);
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    expect(await statuses()).toStrictEqual([401, 401, 401, 401]);
    const create = { key, body: { name: 'No', flowSchema: {} } };
    expect((await world.rest('POST', `/v1/projects/${tenant.projectId}/flows`, create)).status).toBe(401);
    expect(await world.rows(`select 1 from flows where name = 'No'`)).toStrictEqual([]);
  });

  test('is stored as its SHA-256 only', async () => {
    const { key } = await world.key(tenant.projectId);
    const text = JSON.stringify(await world.rows('select * from api_keys'));
    expect(text).not.toContain(key.slice('parley_sk_'.length + 4, -4));
  });
});

test('returns exactly these members from get_health without a key, and ignores any key', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer nonsense' },
    { 'x-api-key': 'a', authorization: 'Basic b' },
  ]) {
    const { status, body } = await world.rest('GET', '/healthz', { headers });
    expect({ status, body }).toStrictEqual({
      status: 200,
      body: { status: 'ok', service: 'service-api', version: '0.0.0-test', gitSha: 'test' },
    });
  }
});
