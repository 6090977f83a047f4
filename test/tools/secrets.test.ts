import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let secrets: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world);
  secrets = `/v1/projects/${project.projectId}/secrets`;
});
afterAll(() => world.close());

const value = 'the-value-that-nobody-may-see';
const binding = { hosts: ['shop.example'], headers: ['x-shop'], inUrl: true };
const set = (name: string, body: unknown = { value, ...binding }) =>
  project.call('PATCH', `${secrets}/${name}`, body);

/** A design with a fetch that sends this header, and no other warning. */
const fetching = (headers: Record<string, string>, more: Record<string, unknown> = {}) => ({
  ...starterDesign,
  steps: {
    ...starterDesign.steps,
    help: { ...starterDesign.steps['help'], facts: 'We are open from 9 to 5.' },
  },
  hooks: {
    before: {
      rootNodeId: 'ask',
      nodes: {
        ask: {
          id: 'ask',
          fetch: { url: 'https://shop.example', method: 'GET', headers, responseMappings: [], ...more },
        },
      },
    },
  },
});

test('creates and changes a secret, and never returns its value', async () => {
  const { status, body } = await set('SHOP_TOKEN', { value });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    name: 'SHOP_TOKEN',
    hosts: [],
    headers: [],
    inUrl: false,
    createdAt: timestamp,
    updatedAt: body.createdAt,
  });
  await world.rows(`update secrets set created_at = created_at - interval '1 hour' where project_id = $1`, [
    project.projectId,
  ]);
  const again = await set('SHOP_TOKEN', { value: 'another' });
  expect(again.body.updatedAt > again.body.createdAt).toBe(true);
  const list = await project.call('GET', secrets);
  expect(list.body).toStrictEqual({ secrets: [again.body] });
});

test('stores the value encrypted, and puts neither the value nor its hash into the audit log', async () => {
  await set('FIRST');
  await set('SECOND');
  const stored = await world.rows(
    'select row_to_json(secrets)::text as row from secrets where project_id = $1',
    [project.projectId],
  );
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain(value);
  expect(JSON.stringify(stored)).not.toContain(Buffer.from(value).toString('hex'));
  await set('FIRST', { value: 'another', ...binding });
  const hashes = await world.rows(
    `select input_hash from audit_log where project_id = $1 and operation = 'set_secret' order by created_at, id`,
    [project.projectId],
  );
  const [first, second, changed] = hashes.map(({ input_hash }) => input_hash);
  expect(changed).toBe(first);
  expect(second).not.toBe(first);
});

test('rejects an invalid value or name without repeating it', async () => {
  for (const wrong of [
    {},
    { value: '' },
    { value: 471_100_815 },
    { value: [value] },
    { value: value.repeat(400) },
  ]) {
    const error = refused(await set('SHOP_TOKEN', wrong), 400, 'invalid_request');
    expect(JSON.stringify(error)).not.toMatch(/the-value|471100815/);
  }
  for (const name of ['1st', 'with-dash', 'with%20space', '%7B%7Bsecret%7D%7D', 'x'.repeat(101)])
    refused(await set(name), 400, 'invalid_request');
  expect((await project.call('GET', secrets)).body).toStrictEqual({ secrets: [] });
});

test('deletes a secret without the trash', async () => {
  await set('SHOP_TOKEN');
  const { body } = await project.call('DELETE', `${secrets}/SHOP_TOKEN`);
  expect(body).toStrictEqual({ name: 'SHOP_TOKEN', deleted: true });
  refused(await project.call('DELETE', `${secrets}/SHOP_TOKEN`), 404, 'not_found');
  expect((await project.call('GET', secrets)).body).toStrictEqual({ secrets: [] });
  expect((await project.call('GET', `/v1/projects/${project.projectId}/trash`)).body.trash).toStrictEqual([]);
});

test('returns 404 for a secret of another project', async () => {
  const other = await openDesignProject(world);
  await other.call('PATCH', `/v1/projects/${other.projectId}/secrets/SHOP_TOKEN`, { value });
  const conversationId = await project.newConversation();
  const problems = await project.problems(conversationId, fetching({ 'x-shop': '{{secret.SHOP_TOKEN}}' }));
  expect(problems).toHaveLength(1);
  refused(await project.call('DELETE', `${secrets}/SHOP_TOKEN`), 404, 'not_found');
});

test('stores a design that names a missing secret with a warning, and activates it after the secret is set', async () => {
  const conversationId = await project.newConversation();
  const design = fetching(
    { 'x-shop': 'Token {{ secret.SHOP_TOKEN }}' },
    { url: 'https://shop.example/{{secret.SHOP}}', query: { key: '{{secret.SHOP_KEY}}' } },
  );
  const at = '/hooks/before/nodes/ask/fetch';
  expect(await project.problems(conversationId, design)).toMatchObject([
    {
      severity: 'warning',
      path: `${at}/url`,
      stepId: 'ask',
      message: 'There is no secret "SHOP" in this project.',
    },
    { severity: 'warning', path: `${at}/query/key` },
    { severity: 'warning', path: `${at}/headers/x-shop`, hint: expect.stringContaining('set_secret') },
  ]);
  created(await project.write(conversationId, design));
  for (const name of ['SHOP', 'SHOP_KEY']) await set(name);
  const { details } = refused(await project.activate(conversationId, 2), 422, 'design_invalid');
  expect(details.issues).toStrictEqual([
    { stepId: 'ask', message: `${at}/headers/x-shop: There is no secret "SHOP_TOKEN" in this project.` },
  ]);
  expect((await project.versions(conversationId)).find(({ isActive }) => isActive)?.n).toBe(1);
  await set('SHOP_TOKEN');
  expect((await project.activate(conversationId, 2)).status).toBe(200);
  expect(await project.problems(conversationId, design)).toStrictEqual([]);
});

test('creates no conversation whose design names a missing secret, because version 1 is active at once', async () => {
  const design = fetching({ 'x-shop': '{{secret.SHOP_TOKEN}}' });
  refused(await project.create({ design }), 422, 'design_invalid');
  await set('SHOP_TOKEN');
  created(await project.create({ design }));
});

test('warns about a credential in a header', async () => {
  const conversationId = await project.newConversation();
  const headers = { Authorization: 'Bearer abc', 'X-Api-Key': 'abc', cookie: 'a=b', accept: 'text/plain' };
  const problems = await project.problems(conversationId, fetching(headers));
  expect(problems.map(({ path }) => path.split('/').at(-1))).toStrictEqual([
    'Authorization',
    'X-Api-Key',
    'cookie',
  ]);
  expect(problems[0]?.hint).toContain('{{secret.NAME}}');
  expect(
    await project.problems(conversationId, fetching({ Authorization: 'Bearer {{contactId}}' })),
  ).toStrictEqual([]);
});
