import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintKey } from '../../src/resources/keys/key.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const mint = (body: unknown, key = tenant.key) =>
  world.rest('POST', `/v1/projects/${tenant.projectId}/keys`, { key, body });

test('reads the record of the current key without the key', async () => {
  const { status, body } = await world.rest('GET', '/v1/keys/current', { key: tenant.key });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: tenant.keyId,
    projectId: tenant.projectId,
    name: 'Key',
    keyType: 'secret',
    scope: 'platform',
    keyPrefix: tenant.key.slice(0, 14),
    last4: tenant.key.slice(-4),
    status: 'active',
    lastUsedAt: null,
  });
});

test('lists keys newest first, page by page, with revoked ones', async () => {
  const { projectId, key, keyId } = await world.tenant();
  const ids = [keyId];
  for (let count = 0; count < 6; count++) ids.unshift((await world.key(projectId)).keyId);
  await world.rest('POST', `/v1/keys/${ids[2]}/revoke`, { key });

  const list = async (query = '') =>
    (await world.rest('GET', `/v1/projects/${projectId}/keys${query}`, { key })).body;
  const whole = await list();
  expect(whole.keys.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(whole.keys.map(({ status }: { status: string }) => status)).toEqual(
    ids.map((_, index) => (index === 2 ? 'revoked' : 'active')),
  );
  expect(whole).not.toHaveProperty('nextCursor');

  const pages: unknown[][] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=3${cursor}`);
    pages.push(page.keys);
    if (page.nextCursor === undefined) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(whole.keys);
});

test('lists the keys of its own project only, 50 by default', async () => {
  const { projectId, key } = await world.tenant();
  for (let count = 0; count < 50; count++) await world.key(projectId);
  const { body } = await world.rest('GET', `/v1/projects/${projectId}/keys`, { key });
  expect(body.keys).toHaveLength(50);
  expect(body.nextCursor).toBe(body.keys[49].id);
  expect(new Set(body.keys.map((record: { projectId: string }) => record.projectId))).toEqual(
    new Set([projectId]),
  );
  const foreign = await world.rest('GET', `/v1/projects/${projectId}/keys`, { key: tenant.key });
  expect(foreign.status).toBe(404);
});

test('stores the SHA-256 of a key, and its text nowhere', async () => {
  const { body } = await mint({ keyType: 'publishable', name: 'Stored' });
  const unknown = mintKey('secret').text;
  await world.rest('GET', '/v1/projects', { key: unknown });
  const tables = await world.rows(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(8);
  const forms = [tenant.key, body.key as string, unknown]
    .flatMap((text) => [text, text.slice(10), text.slice(14, 54)])
    .flatMap((part) => [part, Buffer.from(part).toString('hex'), Buffer.from(part).toString('base64')]);
  for (const { name } of tables) {
    const table = String(name);
    const sql = `select form from "${table}" as t, unnest($1::text[]) as form where position(form in t::text) > 0`;
    expect(await world.rows(sql, [forms]), table).toEqual([]);
  }
  for (const [id, text] of [
    [tenant.keyId, tenant.key],
    [body.id, body.key],
  ])
    expect(await world.rows('select hash from api_keys where id = $1', [id])).toEqual([
      { hash: createHash('sha256').update(text).digest() },
    ]);
});

test('shows the type, four characters and the last four characters of a key in its record', async () => {
  const { body } = await mint({ keyType: 'publishable' });
  expect(body.keyPrefix).toBe(body.key.slice(0, 14));
  expect(body.keyPrefix).toMatch(/^parley_pk_[0-9A-Za-z]{4}$/);
  expect(body.last4).toBe(body.key.slice(-4));
});

test('shows a key its own project only, and not another one of its organization', async () => {
  const sibling = await world.tenant({ organizationId: tenant.organizationId });
  for (const route of [`/v1/projects/${sibling.projectId}`, `/v1/projects/${sibling.projectId}/keys`])
    expect((await world.rest('GET', route, { key: tenant.key })).status).toBe(404);
  const { body } = await world.rest('GET', '/v1/projects', { key: sibling.key });
  expect(body.projects.map(({ id }: { id: string }) => id)).toEqual([sibling.projectId]);
});
