import { afterAll, beforeAll, expect, test } from 'vitest';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { openProject, type Project, timestamp } from '../helpers/project.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function mcp(key: string) {
  const client = await world.mcp('modern http', key);
  return async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    expect(isError, content[0]?.text).not.toBe(true);
    return JSON.parse(content[0]?.text ?? '');
  };
}

/** A further key of a project, and the same calls with it. */
async function colleague(project: Project | DesignProject, name: string): Promise<Tenant['key']> {
  const { key, keyId } = await world.key(project.projectId);
  await world.rows('update api_keys set name = $2 where id = $1', [keyId, name]);
  return key;
}

const newestFirst = (versions: Record<string, unknown>[]) =>
  versions.map(({ version, author, isActive, liveAt }) => [version, author, isActive, liveAt !== undefined]);

test('versions of a flow say who made them and when they last went live', async () => {
  const project = await openProject(world);
  const call = await mcp(project.key);
  const flowId = await project.newFlow();
  const route = `/v1/flows/${flowId}/versions`;
  const anna = await colleague(project, 'Anna');
  const { body: second } = await world.rest('POST', route, { key: anna, body: { flowSchema: {} } });
  await project.newVersion(flowId);
  const list = async () => (await call('list_flow_versions', { flowId })).versions;
  expect(newestFirst(await list())).toEqual([
    [3, 'Key', false, false],
    [2, 'Anna', false, false],
    [1, 'Key', true, true],
  ]);
  await project.call('POST', `/v1/flow-versions/${second.id}/activate`);
  const [, live] = await list();
  expect(live).toMatchObject({ author: 'Anna', isActive: true, liveAt: timestamp });
  expect(await call('get_flow_version', { versionId: second.id })).toMatchObject({
    author: 'Anna',
    liveAt: live.liveAt,
  });
  await project.call('POST', `/v1/flow-versions/${second.id}/activate`);
  expect((await list())[1].liveAt).toBe(live.liveAt);
  await call('restore_version', { flowId, version: 1 });
  expect(newestFirst(await list())).toEqual([
    [4, 'Key', false, false],
    [3, 'Key', false, false],
    [2, 'Anna', true, true],
    [1, 'Key', false, true],
  ]);
});

test('versions of a conversation say who made them and when they last went live', async () => {
  const project = await openDesignProject(world);
  const call = await mcp(project.key);
  const conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  created(await project.write(conversationId, design));
  const anna = await mcp(await colleague(project, 'Anna'));
  const merge = { steps: { goodbye: { line: 'Bye.' } } };
  await anna('edit_design', { conversationId, version: 2, merge });
  const list = async () => (await call('list_conversation_versions', { conversationId })).versions;
  expect(newestFirst(await list())).toEqual([
    [3, 'Anna', false, false],
    [2, 'Key', false, false],
    [1, 'Key', true, true],
  ]);
  await project.activate(conversationId, 3);
  const first = await list();
  expect(newestFirst(first)).toEqual([
    [3, 'Anna', true, true],
    [2, 'Key', false, false],
    [1, 'Key', false, true],
  ]);
  await project.activate(conversationId, 3);
  expect(await list()).toEqual(first);
  await project.activate(conversationId, 1);
  const [, , rolledBack] = await list();
  expect(Date.parse(rolledBack.liveAt)).toBeGreaterThanOrEqual(Date.parse(first[0].liveAt));
});

test('REST returns the records of the contract, and the history on request', async () => {
  const project = await openDesignProject(world);
  const conversationId = await project.newConversation();
  const flow = await world.rest('POST', `/v1/projects/${project.projectId}/flows`, {
    key: project.key,
    body: { name: 'Flow', flowSchema: {} },
  });
  const read = async (route: string) => (await world.rest('GET', route, { key: project.key })).body;
  for (const route of [
    `/v1/flows/${flow.body.id}/versions`,
    `/v1/conversations/${conversationId}/versions`,
  ]) {
    const [version] = (await read(route)).versions;
    expect(version).not.toHaveProperty('author');
    expect(version).not.toHaveProperty('liveAt');
    expect((await read(`${route}?details=true`)).versions).toEqual([
      {
        ...version,
        author: 'Key',
        liveAt: timestamp,
        live: [{ from: timestamp, until: null }],
        rejection: null,
      },
    ]);
    if (!route.includes('flows')) continue;
    const one = `/v1/flow-versions/${version.id}`;
    expect(await read(one)).toEqual(version);
    expect(await read(`${one}?details=true`)).toEqual({
      ...version,
      author: 'Key',
      liveAt: timestamp,
      live: [{ from: timestamp, until: null }],
      rejection: null,
    });
  }
});

test('a version of an earlier release has no author, and keeps the time since which it is live', async () => {
  const project = await openProject(world);
  const call = await mcp(project.key);
  const flowId = await project.newFlow();
  const versionId = await project.newVersion(flowId);
  const since = '2026-01-02T03:04:05.000Z';
  await world.rows(
    'update flow_versions set author = null, live_at = null, updated_at = $2 where flow_id = $1 and is_active',
    [flowId, since],
  );
  const first = async () => (await call('list_flow_versions', { flowId })).versions[1];
  expect(await first()).toMatchObject({ isActive: true, liveAt: since });
  expect(await first()).not.toHaveProperty('author');
  await project.call('POST', `/v1/flow-versions/${versionId}/activate`);
  expect(await first()).toMatchObject({ isActive: false, liveAt: since });
});

test('versions say in which periods they were live, the newest five and how many before', async () => {
  const project = await openDesignProject(world);
  const call = await mcp(project.key);
  const conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  created(await project.write(conversationId, design));
  const { id: flowId } = await call('create_flow', { name: 'Desk', flowSchema: { greeting: 'I am an AI.' } });
  await call('create_flow_version', { flowId, flowSchema: { greeting: 'Hello, I am an AI.' } });
  for (const [kind, input] of [
    ['flow', { flowId }],
    ['conversation', { conversationId }],
  ] as const) {
    const activate = async (version: number) => call(`activate_${kind}_version`, { ...input, version });
    const list = async () => (await call(`list_${kind}_versions`, input)).versions;
    expect((await list())[0], kind).not.toHaveProperty('live');
    for (const version of [2, 2, 1, 2]) await activate(version);
    const [second, first] = await list();
    expect(second, kind).toMatchObject({ live: [{ until: null }, { until: timestamp }] });
    expect(first, kind).toMatchObject({ live: [{ until: timestamp }, { until: timestamp }] });
    // Each period begins when that of the other version ends.
    const periods = [second.live[0], first.live[0], second.live[1], first.live[1]];
    for (const [index, { from }] of periods.slice(0, -1).entries())
      expect(from, kind).toBe(periods[index + 1].until);
    expect(second.live[0].from, kind).toBe(second.liveAt);
    expect(second, kind).not.toHaveProperty('earlierLivePeriods');
    for (let turn = 0; turn < 5; turn++) {
      await activate(1);
      await activate(2);
    }
    const [newest] = await list();
    expect(newest, kind).toMatchObject({ live: [{ until: null }, {}, {}, {}, {}], earlierLivePeriods: 2 });
    expect(newest.live, kind).toHaveLength(5);
  }
});

test('a version of an earlier release gets its period once another version replaces it', async () => {
  const project = await openDesignProject(world);
  const call = await mcp(project.key);
  const conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  created(await project.write(conversationId, design));
  const { id: flowId } = await call('create_flow', { name: 'Desk', flowSchema: { greeting: 'I am an AI.' } });
  await call('create_flow_version', { flowId, flowSchema: { greeting: 'Hello, I am an AI.' } });
  const since = '2026-01-02T03:04:05.000Z';
  const unrecorded = `live_at = $2, live_periods = null, live_count = null`;
  await world.rows(`update flow_versions set ${unrecorded} where flow_id = $1 and version = 1`, [
    flowId,
    since,
  ]);
  await world.rows(`update conversation_versions set ${unrecorded} where conversation_id = $1 and n = 1`, [
    conversationId,
    since,
  ]);
  for (const [kind, input] of [
    ['flow', { flowId }],
    ['conversation', { conversationId }],
  ] as const) {
    const list = async () => (await call(`list_${kind}_versions`, input)).versions;
    expect((await list())[1], kind).toMatchObject({ liveAt: since });
    await call(`activate_${kind}_version`, { ...input, version: 2 });
    const [second, first] = await list();
    expect(first.live, kind).toStrictEqual([{ from: since, until: second.liveAt }]);
  }
});

test('a restored flow keeps who made its versions and when they went live', async () => {
  const project = await openProject(world);
  const call = await mcp(project.key);
  const flowId = await project.newFlow();
  await project.newVersion(flowId);
  const before = await call('list_flow_versions', { flowId });
  await project.call('DELETE', `/v1/flows/${flowId}`);
  const { body } = await project.call('GET', `/v1/projects/${project.projectId}/trash`);
  await project.call('POST', `/v1/projects/${project.projectId}/trash/${body.trash[0].id}/restore`, {});
  expect(await call('list_flow_versions', { flowId })).toEqual(before);
});

test('list_changes gives the activations of a conversation or flow in one call', async () => {
  const project = await openDesignProject(world);
  const call = await mcp(project.key);
  const conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  created(await project.write(conversationId, design));
  const anna = await mcp(await colleague(project, 'Anna'));
  await anna('activate_conversation_version', { conversationId, version: 2 });
  await call('activate_conversation_version', { conversationId, version: 1 });
  const { changes } = await call('list_changes', {
    resource: conversationId,
    operation: 'activate_conversation_version',
  });
  expect(changes).toMatchObject([
    { by: 'Key', what: expect.stringContaining('version 1'), at: expect.stringMatching(/^\d{4}-.*Z$/) },
    { by: 'Anna', what: expect.stringContaining('version 2'), at: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
});

test('on MCP, a key shows what it may do and when it ends; REST shows it on request', async () => {
  const project = await openProject(world);
  const call = await mcp(project.key);
  const made = await call('create_restricted_key', { name: 'Drafts', access: ['draft', 'read'], days: 7 });
  await call('mint_key', { keyType: 'publishable' });
  const { keys } = await call('list_keys', {});
  expect(keys).toMatchObject([
    { name: 'Publishable key', may: 'start web sessions only' },
    { name: 'Drafts', may: 'read, draft', expires: expect.stringMatching(/Z$/) },
    { name: 'Key', may: 'read, run, draft, publish, admin' },
  ]);
  expect(await (await mcp(made.key))('get_current_key', {})).toMatchObject({
    access: ['read', 'draft'],
    expiresAt: timestamp,
  });
  const route = `/v1/projects/${project.projectId}/keys`;
  const { body } = await project.call('GET', route);
  for (const key of body.keys) expect(Object.keys(key)).toHaveLength(9);
  expect((await project.call('GET', `${route}?details=true`)).body.keys[1]).toMatchObject({
    access: ['read', 'draft'],
  });
});
