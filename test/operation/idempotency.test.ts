import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { restApp } from '../../src/transports/rest/app.ts';
import { toolsets } from '../../tools/index.ts';
import { openTestCore, openWorld, type RestAnswer, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  tenant = await world.tenant();
});

const flows = ({ projectId }: Tenant) => `/v1/projects/${projectId}/flows`;
const valid = { name: 'Flow', flowSchema: { greeting: 'Hello, I am an AI assistant.' } };

const create = (idempotencyKey: string, body: object = valid, of = tenant) =>
  world.rest('POST', flows(of), { key: of.key, body, headers: { 'idempotency-key': idempotencyKey } });

const rowsOf = async (table: string, of = tenant) =>
  (await world.rows(`select 1 from ${table} where project_id = $1`, [of.projectId])).length;

const distinct = (answers: readonly RestAnswer[]) =>
  new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`));

describe('the same request again', () => {
  test('returns the same response, and runs once', async () => {
    const answers = [await create('k'), await create('k'), await create('k')];
    expect([...distinct(answers)]).toStrictEqual([expect.stringMatching(/^201 \{"id":"cfl/)]);
    const left = [await rowsOf('flows'), await rowsOf('flow_versions'), await rowsOf('audit_log')];
    expect(left).toStrictEqual([1, 1, 1]);
    const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')));
    expect(ids.size).toBe(3);
  });

  test('runs once if it arrives twenty times at once, also on two servers', async () => {
    const core = await openTestCore(world.databaseUrl);
    const { runtime, authenticate } = core;
    const log = pino({ level: 'silent' });
    const second = restApp({ toolsets, runtime, authenticate, log }).listen(0, '127.0.0.1');
    await once(second, 'listening');
    const base = `http://127.0.0.1:${(second.address() as AddressInfo).port}`;
    const there = async (): Promise<RestAnswer> => {
      const reply = await fetch(base + flows(tenant), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'k',
        },
        body: JSON.stringify(valid),
      });
      return { status: reply.status, headers: reply.headers, body: await reply.json() };
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? create('k') : there())));
    second.closeAllConnections();
    second.close();
    await core.close();
    expect([...distinct(answers)]).toStrictEqual([expect.stringMatching(/^201 /)]);
    const left = [await rowsOf('flows'), await rowsOf('audit_log'), await rowsOf('idempotency_keys')];
    expect(left).toStrictEqual([1, 1, 1]);
  });

  test('returns the same text, with its members in the same order', async () => {
    const { body: flow } = await create('k', { name: 'G', type: 'graph', flowSchema: {} });
    const request = {
      key: tenant.key,
      body: '{"flowSchema":{"z":1,"a":[1.5,"é",{"constructor":null}],"m":9007199254740991}}',
      headers: { 'idempotency-key': 'k' },
    };
    const first = await world.rest('POST', `/v1/flows/${flow.id}/versions`, request);
    const second = await world.rest('POST', `/v1/flows/${flow.id}/versions`, request);
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect(second.status).toBe(201);
  });

  test('of a PATCH returns the same response, whatever has changed since', async () => {
    const { body: flow } = await create('k');
    const patch = (name: string, headers: Record<string, string> = {}) =>
      world.rest('PATCH', `/v1/flows/${flow.id}`, { key: tenant.key, body: { name }, headers });
    const first = await patch('One', { 'idempotency-key': 'p' });
    await patch('Two');
    expect((await patch('One', { 'idempotency-key': 'p' })).body).toStrictEqual(first.body);
    expect((await world.rest('GET', `/v1/flows/${flow.id}`, { key: tenant.key })).body.name).toBe('Two');
  });

  test('is refused if the project is archived since, or the key revoked', async () => {
    await create('k');
    await world.rows(`update projects set status = 'archived' where id = $1`, [tenant.projectId]);
    expect((await create('k')).status).toBe(403);
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [tenant.keyId]);
    expect((await create('k')).status).toBe(401);
  });
});

describe('another request under the same key', () => {
  test('is refused with 400 if its input differs, and does not run', async () => {
    await create('k');
    for (const other of [
      { ...valid, name: 'Other' },
      { ...valid, flowSchema: {} },
      { ...valid, description: '' },
    ]) {
      const { status, body } = await create('k', other);
      expect({ status, code: body.error.code }).toStrictEqual({ status: 400, code: 'invalid_request' });
      expect(body.error.details.issues).toStrictEqual([
        { in: expect.any(String), path: '', message: expect.stringContaining('idempotency key') },
      ]);
    }
    expect(await rowsOf('flows')).toBe(1);
    expect((await create('k')).status).toBe(201);
  });

  test('counts as the same if it only spells out defaults', async () => {
    const { body } = await create('k');
    expect((await create('k', { type: 'simple', ...valid })).body).toStrictEqual(body);
  });

  test('is independent in another project, and for another operation', async () => {
    const other = await world.tenant();
    const [mine, theirs] = [await create('k'), await create('k', valid, other)];
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
    const version = await world.rest('POST', `/v1/flows/${mine.body.id}/versions`, {
      key: tenant.key,
      body: { flowSchema: {} },
      headers: { 'idempotency-key': 'k' },
    });
    expect({ status: version.status, version: version.body.version }).toStrictEqual({
      status: 201,
      version: 2,
    });
  });

  test('is independent with another API key of the project, whatever its input, and waits for nothing', async () => {
    const { body } = await create('k');
    await world.core.knex.transaction(async (transaction) => {
      const held = await transaction('idempotency_keys').where('project_id', tenant.projectId).forUpdate();
      expect(held).toHaveLength(1);
      for (const input of [valid, { ...valid, name: 'Other' }]) {
        const { key } = await world.key(tenant.projectId);
        const other = await create('k', input, { ...tenant, key });
        expect(other).toMatchObject({ status: 201, body: { name: input.name } });
        expect(other.body.id).not.toBe(body.id);
      }
    });
    expect((await create('k')).body).toStrictEqual(body);
  });
});

test('an error is not stored: a corrected request succeeds under the same key', async () => {
  expect((await create('k', { name: '' })).status).toBe(400);
  expect((await create('k', { ...valid, agentProfileId: 'cap000000' })).status).toBe(404);
  expect((await create('k', { ...valid, flowSchema: { nonsense: 1 } })).status).toBe(422);
  expect(await rowsOf('idempotency_keys')).toBe(0);
  expect((await create('k')).status).toBe(201);
});

test('a response is replayed for 24 hours; then the request runs again, once', async () => {
  const age = (hours: number) =>
    world.rows(
      `update idempotency_keys set created_at = now() - make_interval(hours => $2) where project_id = $1`,
      [tenant.projectId, hours],
    );
  const { body: first } = await create('k');
  await age(23);
  expect((await create('k')).body).toStrictEqual(first);
  await age(25);
  const answers = await Promise.all(Array.from({ length: 6 }, () => create('k')));
  expect(distinct(answers).size).toBe(1);
  expect(answers[0]?.body.id).not.toBe(first.id);
  expect([await rowsOf('flows'), await rowsOf('idempotency_keys')]).toStrictEqual([2, 1]);
  await age(25);
  const another = { ...valid, name: 'Another input' };
  const [once, again] = [await create('k', another), await create('k', another)];
  expect({ status: again.status, body: again.body }).toStrictEqual({ status: 201, body: once.body });
  expect((await create('k')).status).toBe(400);
});

test('the key is ignored by operations that only read, and by DELETE', async () => {
  const { body: flow } = await create('k');
  const headers = { 'idempotency-key': 'x'.repeat(300) };
  for (const route of [flows(tenant), `/v1/flows/${flow.id}`])
    expect((await world.rest('GET', route, { key: tenant.key, headers })).status).toBe(200);
  const remove = () => world.rest('DELETE', `/v1/flows/${flow.id}`, { key: tenant.key, headers });
  expect([(await remove()).status, (await remove()).status]).toStrictEqual([200, 404]);
});

describe('over MCP', () => {
  const meta = (key: unknown) => ({ 'parley/idempotencyKey': key });

  test.each(['modern http', 'legacy http'] as const)(
    '%s, the key in _meta does the same',
    async (transport) => {
      const client = await world.mcp(transport, tenant.key);
      const args = { projectId: tenant.projectId, ...valid };
      const call = (key: unknown, more: object = {}) =>
        client.callTool({ name: 'create_flow', arguments: { ...args, ...more }, _meta: meta(key) });
      const results = await Promise.all([call('m'), call('m'), call('m')]);
      const ids = new Set(results.map(({ structuredContent }) => structuredContent?.['id']));
      expect([...ids]).toStrictEqual([expect.stringMatching(/^cfl/)]);
      expect(await rowsOf('flows')).toBe(1);
      const refused = await call('m', { name: 'Other' });
      expect(JSON.parse(refused.content[0]?.text ?? '').error.code).toBe('invalid_request');
      const { versionId: _, ...record } = results[0]?.structuredContent ?? {};
      expect((await create('m')).body).toMatchObject(record);
    },
  );

  test('a malformed key is refused', async () => {
    const client = await world.mcp('modern http', tenant.key);
    for (const key of ['', 'k'.repeat(256), 'é', 'a b', 5, null, {}, ['k'], false]) {
      const args = { projectId: tenant.projectId, ...valid };
      const result = await client.callTool({ name: 'create_flow', arguments: args, _meta: meta(key) });
      expect(result.isError, JSON.stringify(key)).toBe(true);
      expect(JSON.parse(result.content[0]?.text ?? '').error.code).toBe('invalid_request');
    }
    expect(await rowsOf('flows')).toBe(0);
  });
});

test('a malformed key is refused with 400 and an issue, and the longest valid one is accepted', async () => {
  for (const key of ['', ' ', 'k'.repeat(256), 'caf\u00e9', 'a b', 'tab\tbed']) {
    const { status, body } = await create(key);
    expect({ status, issues: body.error?.details?.issues?.length }, key).toStrictEqual({
      status: 400,
      issues: 1,
    });
  }
  expect(await rowsOf('flows')).toBe(0);
  expect((await create(`${'k'.repeat(250)}~!"#%`)).status).toBe(201);
});
