import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { openVault } from '../../src/platform/vault.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { pagesOf, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

const written: string[] = [];
let world: World;
let project: DesignProject;
let integrations: string;
beforeAll(async () => {
  world = await openWorld({ log: pino({ level: 'trace' }, { write: (line: string) => written.push(line) }) });
});
beforeEach(async () => {
  project = await openDesignProject(world);
  integrations = `/v1/projects/${project.projectId}/integrations`;
});
afterAll(() => world.close());

const token = 'the-token-that-nobody-may-see';
const crm = { kind: 'crm', provider: 'hubspot', name: 'Customers', credentials: { accessToken: token } };
const create = (more: Record<string, unknown> = {}) =>
  project.call('POST', integrations, { ...crm, ...more });
const remove = (id: string) => project.call('DELETE', `/v1/integrations/${id}`);
const list = async () => (await project.call('GET', integrations)).body.integrations;

/** Decrypts the credentials of an integration. */
async function credentialsOf(id: string): Promise<unknown> {
  const [row] = await world.rows('select sealed_credentials from integrations where id = $1', [id]);
  const context = `integrations ${project.projectId} ${id}`;
  return JSON.parse(
    openVault(['a secret key of the tests']).open(row?.['sealed_credentials'] as Buffer, context),
  );
}

test('creates an integration with credentials, and returns it without them', async () => {
  const record = created(await create());
  expect(record).toStrictEqual({
    id: expect.stringMatching(/^cin/),
    projectId: project.projectId,
    kind: 'crm',
    provider: 'hubspot',
    name: 'Customers',
    status: 'unverified',
    createdAt: timestamp,
    updatedAt: record.createdAt,
  });
  expect(await credentialsOf(record.id)).toStrictEqual({ accessToken: token });
  expect(await list()).toStrictEqual([record]);
});

test('lists integrations newest first, page by page', async () => {
  const made: string[] = [];
  for (const kind of ['crm', 'calendar', 'knowledge', 'crm'])
    made.unshift(created(await create({ kind })).id);
  const pages = await pagesOf(project, integrations, 3);
  const ids = pages.map((page) => page.integrations.map(({ id }: { id: string }) => id));
  expect(ids).toStrictEqual([made.slice(0, 3), made.slice(3)]);
});

test('accepts long credentials of any name, and none', async () => {
  const credentials = { constructor: 'one', prototype: 'two', 'with space': 'x'.repeat(10_000) };
  expect(await credentialsOf(created(await create({ credentials })).id)).toStrictEqual(credentials);
  expect(await credentialsOf(created(await create({ credentials: {} })).id)).toStrictEqual({});
});

test('rejects an invalid integration without repeating a credential', async () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`name${index}`, token]));
  const wrong = [
    { kind: 'erp' },
    { provider: '' },
    { provider: 'x'.repeat(101) },
    { name: '' },
    { name: 'x'.repeat(201) },
    { status: 'unverified' },
    { credentials: undefined },
    { credentials: token },
    { credentials: [token] },
    { credentials: null },
    { credentials: { accessToken: 471_100_815 } },
    { credentials: { accessToken: { token } } },
    { credentials: { accessToken: '' } },
    { credentials: { accessToken: token.repeat(400) } },
    { credentials: { '': token } },
    { credentials: many },
  ];
  for (const more of wrong) {
    const error = refused(await create(more), 400, 'invalid_request');
    expect(JSON.stringify(error)).not.toMatch(/the-token|471100815/);
  }
  const proto = JSON.stringify(crm).replace('accessToken', '__proto__');
  refused(await world.rest('POST', integrations, { key: project.key, body: proto }), 400, 'invalid_request');
  expect(await list()).toStrictEqual([]);
});

test('shows credentials in no response, log, audit row or table, also after deletion', async () => {
  const client = await world.mcp('modern http', project.key);
  const { projectId } = project;
  const overMcp = (name: string, input: Record<string, unknown>) =>
    client.callTool({ name, arguments: { projectId, ...input } });
  const answers: unknown[] = [
    await create(),
    await create({ kind: 'erp' }),
    await overMcp('create_integration', crm),
    await overMcp('create_integration', { ...crm, provider: '' }),
  ];
  const { structuredContent } = await overMcp('list_integrations', {});
  answers.push(structuredContent);
  const made = await list();
  expect(made).toHaveLength(2);
  answers.push(made, await remove(made[0].id), await project.call('GET', `/v1/projects/${projectId}/trash`));
  const tables = await world.rows(
    `select string_agg(query_to_xml(format('select * from %I', relname), true, false, '')::text, '') as text
     from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  const shown = JSON.stringify([answers, tables, written]);
  for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64')])
    expect(shown).not.toContain(form);
  // The control: the search finds a text that is stored.
  expect(shown).toContain('hubspot');
  expect(shown).toContain('create_integration');
});

test('does not put a hash of the credentials into the audit log', async () => {
  await create();
  await create({ credentials: { accessToken: 'another' } });
  await create({ name: 'Other' });
  const hashes = await world.rows(
    `select input_hash from audit_log where project_id = $1 and operation = 'create_integration' order by id`,
    [project.projectId],
  );
  const [one, two, other] = hashes.map(({ input_hash }) => input_hash);
  expect(two).toBe(one);
  expect(other).not.toBe(one);
});

test('restores a deleted integration with its credentials', async () => {
  const record = created(await create());
  expect((await remove(record.id)).body).toStrictEqual({
    id: record.id,
    deleted: true,
    trashId: expect.any(String),
  });
  refused(await remove(record.id), 404, 'not_found');
  expect(await list()).toStrictEqual([]);
  const trash = `/v1/projects/${project.projectId}/trash`;
  const [entry] = (await project.call('GET', trash)).body.trash;
  expect(entry).toMatchObject({ kind: 'integration', resourceId: record.id, name: 'Customers' });
  const { body } = await project.call('POST', `${trash}/${entry.id}/restore`);
  expect(body).toStrictEqual({ id: record.id, kind: 'integration', restored: true });
  expect(await list()).toStrictEqual([record]);
  expect(await credentialsOf(record.id)).toStrictEqual({ accessToken: token });
});

test('returns 404 for an integration of another project', async () => {
  const other = await openDesignProject(world);
  const foreign = created(await other.call('POST', `/v1/projects/${other.projectId}/integrations`, crm)).id;
  for (const id of [foreign, newId('integration'), newId('flow')])
    refused(await remove(id), 404, 'not_found');
  expect(await list()).toStrictEqual([]);
  expect((await other.call('DELETE', `/v1/integrations/${foreign}`)).status).toBe(200);
});
