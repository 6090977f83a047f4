import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/id.ts';
import { openWorld, type RestAnswer, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const tooLarge = ' '.repeat(262_145);
const valid = { name: 'F', flowSchema: {} };
const outcome = ({ status, body }: RestAnswer) => `${status} ${body.error?.code}`;

test('reports the first error in the order 404 for a path, 401, 403, 413, 400, 404 for a record, 422', async () => {
  const { key: reader } = await world.key(tenant.projectId, { scope: 'service_app' });
  const { key } = tenant;
  const foreign = (await world.tenant()).projectId;
  const flows = `/v1/projects/${foreign}/flows`;
  const badSchema = { ...valid, flowSchema: { nonsense: 1 } };
  const steps: [string, string, Parameters<World['rest']>[2]][] = [
    ['404 not_found', `${flows}/nothing?x=1`, { body: tooLarge }],
    ['401 unauthorized', `${flows}?x=1`, { body: tooLarge }],
    ['401 unauthorized', `${flows}?x=1`, { key: `${key}x`, body: tooLarge }],
    ['403 forbidden', `${flows}?x=1`, { key: reader, body: tooLarge }],
    ['413 payload_too_large', `${flows}?x=1`, { key, body: tooLarge }],
    ['400 invalid_request', `${flows}?x=1`, { key, body: badSchema }],
    ['400 invalid_request', flows, { key, body: { ...badSchema, name: '' } }],
    ['404 not_found', flows, { key, body: badSchema }],
    [
      '404 not_found',
      `/v1/projects/${tenant.projectId}/flows`,
      { key, body: { ...badSchema, agentProfileId: newId('agentProfile') } },
    ],
    ['422 flow_schema_invalid', `/v1/projects/${tenant.projectId}/flows`, { key, body: badSchema }],
    ['201 undefined', `/v1/projects/${tenant.projectId}/flows`, { key, body: valid }],
  ];
  for (const [wanted, route, request] of steps)
    expect(
      outcome(await world.rest('POST', route, request)),
      `${route} ${JSON.stringify(request).slice(0, 80)}`,
    ).toBe(wanted);
});

test('refuses a revoked key and an inactive project before it checks the input', async () => {
  const { key, keyId, projectId } = await world.tenant();
  const wrong = { key, body: tooLarge };
  const route = `/v1/projects/${projectId}/flows?x=1`;
  await world.rows(`update projects set status = 'archived' where id = $1`, [projectId]);
  expect(outcome(await world.rest('POST', route, wrong))).toBe('403 forbidden');
  await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
  expect(outcome(await world.rest('POST', route, wrong))).toBe('401 unauthorized');
  expect(outcome(await world.rest('POST', route, { key, body: valid }))).toBe('401 unauthorized');
  expect(outcome(await world.rest('GET', `/v1/projects/${projectId}/flows?x=1`, { key }))).toBe(
    '401 unauthorized',
  );
});

test('returns 404 for an id of another kind after it has checked the input', async () => {
  const { key } = tenant;
  const route = `/v1/flows/${newId('flowVersion')}/versions`;
  expect(outcome(await world.rest('GET', `${route}?limit=0`, { key }))).toBe('400 invalid_request');
  expect(outcome(await world.rest('GET', route, { key }))).toBe('404 not_found');
});

test('an archived project refuses every write with 403 and allows every read', async () => {
  const { key, projectId } = await world.tenant();
  const flows = `/v1/projects/${projectId}/flows`;
  const trash = `/v1/projects/${projectId}/trash`;
  const { body: flow } = await world.rest('POST', flows, { key, body: valid });
  const { body: gone } = await world.rest('POST', flows, { key, body: valid });
  await world.rest('DELETE', `/v1/flows/${gone.id}`, { key });
  const { body: listed } = await world.rest('GET', trash, { key });
  const { body: versions } = await world.rest('GET', `/v1/flows/${flow.id}/versions`, { key });
  const version = `/v1/flow-versions/${versions.versions[0].id}`;
  const writes: [string, string, object?][] = [
    ['POST', flows, valid],
    ['PATCH', `/v1/flows/${flow.id}`, { name: 'Other' }],
    ['PATCH', `/v1/flows/${flow.id}`, {}],
    ['POST', `/v1/flows/${flow.id}/versions`, { flowSchema: {} }],
    ['POST', `${version}/activate`],
    ['DELETE', `/v1/flows/${flow.id}`],
    ['POST', `${trash}/${listed.trash[0].id}/restore`],
  ];
  const reads = [flows, trash, `/v1/flows/${flow.id}`, `/v1/flows/${flow.id}/versions`, version];
  const everything = async () => {
    const bodies = [];
    for (const route of [...reads, `/v1/projects/${projectId}`, '/v1/projects', '/v1/keys/current']) {
      const { status, body } = await world.rest('GET', route, { key });
      expect(status, route).toBe(200);
      bodies.push(JSON.stringify(body).replaceAll('"archived"', '"active"'));
    }
    return bodies;
  };
  const before = await everything();
  await world.rows(`update projects set status = 'archived' where id = $1`, [projectId]);
  for (const [method, route, body] of writes) {
    const answer = await world.rest(method, route, { key, ...(body && { body }) });
    expect(outcome(answer), `${method} ${route}`).toBe('403 forbidden');
    expect(answer.body.error.message).toContain('archived');
  }
  expect(await everything()).toStrictEqual(before);
});

test('a paused project still allows changes to its flows', async () => {
  const { key, projectId } = await world.tenant();
  await world.rows(`update projects set status = 'paused' where id = $1`, [projectId]);
  const { status, body } = await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body: valid });
  expect(status).toBe(201);
  expect((await world.rest('DELETE', `/v1/flows/${body.id}`, { key })).status).toBe(200);
});

test('every response has its own request id from the server', async () => {
  const { key, projectId } = tenant;
  const own = { 'x-request-id': 'mine', 'request-id': 'mine' };
  const { key: reader } = await world.key(projectId, { scope: 'service_app' });
  const requests: [number, Promise<RestAnswer>][] = [];
  for (let time = 0; time < 25; time++)
    requests.push(
      [200, world.rest('GET', '/healthz', { headers: own })],
      [200, world.rest('GET', '/v1/projects', { key, headers: own })],
      [201, world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body: valid, headers: own })],
      [400, world.rest('GET', '/v1/flows/x', { key, headers: own })],
      [401, world.rest('GET', '/v1/projects', { headers: own })],
      [
        403,
        world.rest('POST', `/v1/projects/${projectId}/flows`, { key: reader, body: valid, headers: own }),
      ],
      [404, world.rest('GET', '/nothing', { headers: own })],
      [413, world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body: tooLarge, headers: own })],
    );
  const ids = new Set<string | null>();
  for (const [wanted, request] of requests) {
    const { status, headers, body } = await request;
    const id = headers.get('x-request-id');
    expect(status).toBe(wanted);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    if (status >= 400) expect(body.error.requestId).toBe(id);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    ids.add(id);
  }
  expect(ids.size).toBe(requests.length);
});

test('the audit row of a change has its request id', async () => {
  const { key, projectId } = await world.tenant();
  const { headers } = await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body: valid });
  const rows = await world.rows('select request_id, operation from audit_log where project_id = $1', [
    projectId,
  ]);
  expect(rows).toStrictEqual([{ request_id: headers.get('x-request-id'), operation: 'create_flow' }]);
});
