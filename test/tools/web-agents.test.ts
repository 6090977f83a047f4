import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { created, refused } from '../helpers/design-project.ts';
import { pagesOf } from '../helpers/project.ts';
import { openWebProject, type WebProject } from '../helpers/web-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: WebProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openWebProject(world);
});
afterAll(() => world.close());

const at = (id: string) => `/v1/web-sessions/agents/${id}`;
const get = (id: string) => project.call('GET', at(id));
const patch = async (id: string, body: unknown) => {
  const answer = await project.call('PATCH', at(id), body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const trash = async () =>
  (await project.call('GET', `/v1/projects/${project.projectId}/trash`)).body.trash as {
    id: string;
    kind: string;
    resourceId: string;
  }[];
const restore = (trashId: string | undefined) =>
  project.call('POST', `/v1/projects/${project.projectId}/trash/${trashId}/restore`);

test('creates a web agent with its defaults, and returns the same record for a read', async () => {
  const conversationId = await project.newConversation();
  const { status, body } = await project.createWebAgent({ name: 'W', conversationId, scopes: ['chat'] });
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: expect.stringMatching(/^cwa[0-9a-v]{26}$/),
    projectId: project.projectId,
    name: 'W',
    channel: 'widget',
    scopes: ['chat'],
    allowedOrigins: [],
    conversationId,
    status: 'active',
  });
  expect((await get(body.id)).body).toStrictEqual(body);
});

test('accepts a conversation of kind simple, and keeps repeated items once', async () => {
  const conversationId = created(await project.create({ kind: 'simple' })).id;
  const { body } = await project.createWebAgent({
    conversationId,
    channel: 'api',
    scopes: ['voice', 'chat', 'voice'],
    allowedOrigins: ['https://b.example', 'https://a.example', 'https://b.example'],
  });
  expect(body).toMatchObject({
    channel: 'api',
    scopes: ['voice', 'chat'],
    allowedOrigins: ['https://b.example', 'https://a.example'],
  });
});

test('reports all issues at once', async () => {
  const answer = await project.createWebAgent({
    name: 'n'.repeat(201),
    channel: 'phone',
    scopes: [],
    allowedOrigins: 'https://example.com',
    conversationId: 'front-desk',
    status: 'disabled',
  });
  const issues = refused(answer, 400, 'invalid_request').details.issues as { path: string }[];
  expect(issues.map(({ path }) => path).toSorted()).toEqual([
    '/allowedOrigins',
    '/channel',
    '/conversationId',
    '/name',
    '/scopes',
    '/status',
  ]);
  refused(await project.createWebAgent({ name: '' }), 400, 'invalid_request');
  created(await project.createWebAgent({ name: 'n'.repeat(200) }));
});

test('returns 404 for a conversation that is missing or belongs to another project', async () => {
  const foreign = await (await openWebProject(world)).newConversation();
  const id = await project.newWebAgent();
  for (const conversationId of [newId('conversation'), foreign, newId('flow')]) {
    refused(await project.createWebAgent({ conversationId }), 404, 'not_found');
    refused(await project.call('PATCH', at(id), { conversationId }), 404, 'not_found');
  }
});

test('lists newest first, page by page', async () => {
  const ids = [await project.newWebAgent(), await project.newWebAgent(), await project.newWebAgent()];
  const pages = await pagesOf(project, `/v1/projects/${project.projectId}/web-sessions/agents`, 2);
  expect(pages.map(({ webAgents }) => webAgents.map(({ id }: { id: string }) => id))).toEqual([
    [ids[2], ids[1]],
    [ids[0]],
  ]);
  expect(pages[1].webAgents[0]).toStrictEqual((await get(ids[0] ?? '')).body);
});

describe('a change', () => {
  test('sets the named fields and keeps the others; {} changes nothing, not even updated_at', async () => {
    const id = await project.newWebAgent({ allowedOrigins: ['https://a.example'] });
    const before = (await get(id)).body;
    const stamp = async () => (await world.rows('select updated_at from web_agents where id = $1', [id]))[0];
    await world.rows(`update web_agents set updated_at = updated_at - interval '1 hour' where id = $1`, [id]);
    const earlier = await stamp();
    expect(await patch(id, {})).toStrictEqual(before);
    expect(await stamp()).toStrictEqual(earlier);
    const conversationId = await project.newConversation();
    const change = { name: 'Night', scopes: ['chat'], status: 'disabled', conversationId };
    expect(await patch(id, change)).toStrictEqual({ ...before, ...change });
    expect(await stamp()).not.toStrictEqual(earlier);
    expect((await get(id)).body).toStrictEqual({ ...before, ...change });
    refused(await project.call('PATCH', at(id), { channel: 'api' }), 400, 'invalid_request');
  });

  test('replaces the origins, or adds and removes single ones', async () => {
    const id = await project.newWebAgent({ allowedOrigins: ['https://a.example', 'https://b.example'] });
    const origins = async (body: unknown) => (await patch(id, body)).allowedOrigins;
    expect(await origins({ addOrigins: ['https://c.example', 'https://a.example'] })).toEqual([
      'https://a.example',
      'https://b.example',
      'https://c.example',
    ]);
    expect(await origins({ removeOrigins: ['https://b.example', 'https://z.example'] })).toEqual([
      'https://a.example',
      'https://c.example',
    ]);
    expect(await origins({ allowedOrigins: [], addOrigins: ['https://d.example'] })).toEqual([
      'https://d.example',
    ]);
    expect(await origins({ allowedOrigins: [] })).toEqual([]);
    const asGiven = ['https://d.example/', '*', 'not an origin'];
    expect(await origins({ addOrigins: asGiven })).toEqual(asGiven);
    // Entries are removed as they were given, not as they match.
    expect(await origins({ removeOrigins: ['https://d.example', '*'] })).toEqual([
      'https://d.example/',
      'not an origin',
    ]);
  });

  test('of single origins loses none if several run at once', async () => {
    const id = await project.newWebAgent();
    const origins = Array.from({ length: 6 }, (_, index) => `https://${index}.example`);
    await Promise.all(origins.map((origin) => patch(id, { addOrigins: [origin] })));
    expect((await get(id)).body.allowedOrigins.toSorted()).toEqual(origins);
  });
});

describe('a conversation that a web agent names', () => {
  test('cannot be deleted until the web agent is deleted, and the error names the web agent', async () => {
    const conversationId = await project.newConversation();
    const id = await project.newWebAgent({ conversationId, name: 'Shop' });
    const remove = () => project.call('DELETE', `/v1/conversations/${conversationId}`);
    expect(refused(await remove(), 409, 'in_use').details).toStrictEqual({
      references: [{ kind: 'webAgent', id, name: 'Shop' }],
    });
    expect((await project.call('GET', `/v1/conversations/${conversationId}`)).status).toBe(200);
    await project.call('DELETE', at(id));
    expect((await remove()).status).toBe(200);
  });

  test('cannot be deleted while a web agent is created for it', async () => {
    for (let round = 0; round < 8; round++) {
      const conversationId = await project.newConversation();
      const [deleted, agent] = await Promise.all([
        project.call('DELETE', `/v1/conversations/${conversationId}`),
        project.createWebAgent({ conversationId }),
      ]);
      expect([
        [200, 404],
        [409, 201],
      ]).toContainEqual([deleted.status, agent.status]);
    }
  });
});

test('a deleted web agent goes to the trash, and a restore brings it back unchanged', async () => {
  const id = await project.newWebAgent({ name: 'Shop', allowedOrigins: ['https://*.example.com'] });
  const before = (await get(id)).body;
  const removed = await project.call('DELETE', at(id));
  expect(removed).toMatchObject({ status: 200, body: { id, deleted: true, trashId: expect.any(String) } });
  for (const answer of [
    await get(id),
    await project.call('PATCH', at(id), {}),
    await project.call('DELETE', at(id)),
    await project.startSession({ webAgentId: id }),
  ])
    refused(answer, 404, 'not_found');
  const [entry] = await trash();
  expect(entry).toMatchObject({ kind: 'webAgent', resourceId: id, name: 'Shop' });
  const { status, body } = await restore(entry?.id);
  expect({ status, body }).toStrictEqual({ status: 200, body: { id, kind: 'webAgent', restored: true } });
  expect((await get(id)).body).toStrictEqual(before);
});

test('a web agent is not restored before its conversation', async () => {
  const conversationId = await project.newConversation();
  const id = await project.newWebAgent({ conversationId });
  await project.call('DELETE', at(id));
  expect((await project.call('DELETE', `/v1/conversations/${conversationId}`)).status).toBe(200);
  const [conversation, webAgent] = await trash();
  refused(await restore(webAgent?.id), 404, 'not_found');
  refused(await get(id), 404, 'not_found');
  await restore(conversation?.id);
  expect((await restore(webAgent?.id)).status).toBe(200);
  expect((await get(id)).body.conversationId).toBe(conversationId);
});
