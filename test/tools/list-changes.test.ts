import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProject, type Project, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function changes(project: Project, query: Record<string, string> = {}, key = project.key) {
  const route = `/v1/projects/${project.projectId}/changes?${new URLSearchParams(query)}`;
  const { status, body } = await world.rest('GET', route, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { changes: Record<string, unknown>[]; nextCursor?: string };
}

test('shows who changed what, newest first, in words', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const versionId = await project.newVersion(flowId, { greeting: 'Hi' });
  await project.call('POST', `/v1/flow-versions/${versionId}/activate`, {});
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Front desk', description: 'x' });
  await project.call('DELETE', `/v1/flows/${flowId}`);
  const { changes: all } = await changes(project);
  expect(all.map(({ operation, resourceId, summary }) => [operation, resourceId, summary])).toEqual([
    ['delete_flow', flowId, null],
    ['update_flow', flowId, '"Front desk"; changed name, description'],
    ['activate_flow_version', flowId, 'version 2'],
    ['create_flow_version', flowId, 'version 2'],
    ['create_flow', flowId, '"Desk"'],
  ]);
  expect(all[0]).toEqual({
    id: expect.stringMatching(/^cau/),
    at: timestamp,
    keyId: project.keyId,
    keyName: expect.stringMatching(/./),
    operation: 'delete_flow',
    resourceId: flowId,
    resourceName: 'Front desk',
    summary: null,
  });
});

test('names the records that a change put in the place of others, also deleted ones', async () => {
  const project = await openProject(world);
  const [day, night] = [await project.newFlow({ name: 'Day' }), await project.newFlow({ name: 'Night' })];
  const number = await project.call('POST', `/v1/projects/${project.projectId}/phone-numbers`, {
    name: 'Main line',
    number: '+12025550143',
    type: 'partner',
    flowId: day,
  });
  const assign = (flowId: string | null) =>
    project.call('PATCH', `/v1/phone-numbers/${number.body.id}/flow`, { flowId });
  await assign(night);
  await assign(null);
  await project.call('DELETE', `/v1/flows/${night}`);
  const { changes: all } = await changes(project, { resource: number.body.id });
  expect(all.map(({ resourceName, summary }) => [resourceName, summary])).toEqual([
    ['Main line', '"Main line"; flowId: none'],
    ['Main line', '"Main line"; flowId: "Night"'],
    ['Main line', '"Main line"; flowId: "Day"'],
  ]);
});

test('filters by resource, operation, key and time, and pages', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow();
  const version = await project.newVersion(flowId);
  await project.newFlow();
  for (let turn = 0; turn < 3; turn++)
    await project.call('POST', `/v1/flow-versions/${version}/activate`, {});
  const count = async (query: Record<string, string>) => (await changes(project, query)).changes.length;
  expect(await count({ resource: flowId })).toBe(5);
  const history = { resource: flowId, operation: 'activate_flow_version' };
  expect(await count(history)).toBe(3);
  expect(await count({ keyId: project.keyId })).toBe(6);
  expect(await count({ to: '2026-01-01T00:00:00Z' })).toBe(0);
  expect(await count({ from: '2026-01-01T00:00:00Z' })).toBe(6);
  const first = await changes(project, { ...history, limit: '2' });
  const second = await changes(project, { ...history, limit: '2', cursor: String(first.nextCursor) });
  expect([...first.changes, ...second.changes].map(({ id }) => id)).toEqual(
    (await changes(project, history)).changes.map(({ id }) => id),
  );
  expect(
    (await project.call('GET', `/v1/projects/${project.projectId}/changes?from=2026-02-30T00:00:00Z`)).status,
  ).toBe(400);
});

test('a key without admin access sees its own changes only', async () => {
  const project = await openProject(world);
  await project.newFlow({ name: 'Of the owner' });
  const { key, keyId } = await world.key(project.projectId, { access: ['read', 'draft'] });
  await world.rest('POST', `/v1/projects/${project.projectId}/flows`, {
    key,
    body: { name: 'Of the agent', flowSchema: {} },
  });
  const summaries = async (query = {}) =>
    (await changes(project, query, key)).changes.map(({ summary }) => summary);
  expect(await summaries()).toEqual(['"Of the agent"']);
  expect(await summaries({ keyId: project.keyId })).toEqual([]);
  expect(await summaries({ keyId })).toEqual(['"Of the agent"']);
  const ofKey = `/v1/projects/${project.projectId}/changes?resource=Key`;
  expect((await world.rest('GET', ofKey, { key: project.key })).status).toBe(200);
  expect((await world.rest('GET', ofKey, { key })).status).toBe(404);
});

test('never shows a secret', async () => {
  const project = await openProject(world);
  const route = `/v1/projects/${project.projectId}/secrets/token`;
  await project.call('PATCH', route, { value: 'hunter2-hunter2' });
  const all = await changes(project);
  expect(JSON.stringify(all)).not.toContain('hunter2');
  expect(all.changes).toMatchObject([{ operation: 'set_secret', summary: '"token"; changed value' }]);
});

/** The results of a tool, as a client of MCP sees them. */
async function overMcp(key: string) {
  const client = await world.mcp('modern http', key);
  return async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return JSON.parse(content[0]?.text ?? '') as Record<string, unknown>;
  };
}

test('says on MCP in one line a row what answered a number over time', async () => {
  const project = await openProject(world);
  const [day, night] = [await project.newFlow({ name: 'Day' }), await project.newFlow({ name: 'Night' })];
  const number = await project.call('POST', `/v1/projects/${project.projectId}/phone-numbers`, {
    name: 'Front',
    number: '+12025550143',
    type: 'partner',
  });
  for (const flowId of [day, night])
    await project.call('PATCH', `/v1/phone-numbers/${number.body.id}/flow`, { flowId });
  await project.call('PATCH', `/v1/phone-numbers/${number.body.id}`, { name: 'Main line' });
  const call = await overMcp(project.key);
  // With milliseconds in a short list: a change that it leaves out may have the same second.
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const by = expect.stringMatching(/./);
  const rows = [
    'update_phone_number "Main line"; changed name',
    'assign_flow "Front"; flowId: "Night" (now "Main line")',
    'assign_flow "Front"; flowId: "Day" (now "Main line")',
    'import_phone_number "Front" (now "Main line")',
  ].map((what) => ({ at, by, what }));
  for (const resource of ['+1 (202) 555-0143', '+12025550143', 'main LINE ', number.body.id])
    expect((await call('list_changes', { resource }))['changes'], resource).toStrictEqual(rows);
  await project.call('DELETE', `/v1/flows/${day}`);
  expect(await call('list_changes', { resource: 'Day', operation: 'delete_flow' })).toStrictEqual({
    changes: [{ at, by, what: 'delete_flow "Day"' }],
  });
  const other = await overMcp((await openProject(world)).key);
  for (const unknown of ['Main line', '+12025550143'])
    expect(await other('list_changes', { resource: unknown })).toMatchObject({
      error: { code: 'not_found' },
      hint: expect.stringContaining('search_project'),
    });
});

test('says which versions answered a number, from when until when', async () => {
  const project = await openProject(world);
  const call = await overMcp(project.key);
  const [day, night] = [await project.newFlow({ name: 'Day' }), await project.newFlow({ name: 'Night' })];
  const number = '+12025550177';
  await call('import_phone_number', { name: 'Front', number, type: 'partner', flowId: 'Day' });
  const greeting = { greeting: 'Hello, I am an AI.' };
  const answered = async (query = {}) =>
    (await call('list_changes', { resource: number, ...query }))['answered'] as Record<string, string>[];
  await call('edit_flow', { flowId: day, version: 1, merge: greeting, activate: true });
  await call('assign_flow', { phoneNumberId: number, flowId: night });
  // Nobody met what went live elsewhere.
  await call('activate_flow_version', { flowId: day, version: 1 });
  await call('delete_phone_number', { phoneNumberId: number });
  await call('restore_deleted', { trashId: 'Front' });
  const { body } = await project.call(
    'GET',
    `/v1/projects/${project.projectId}/changes?${new URLSearchParams({ resource: number })}`,
  );
  const handler = (id: string, name: string, version: number) => ({ kind: 'flow', id, name, version });
  expect(body.answered).toStrictEqual([
    { from: timestamp, until: null, handler: handler(night, 'Night', 1) },
    { from: timestamp, until: timestamp, handler: handler(night, 'Night', 1) },
    { from: timestamp, until: body.answered[1].from, handler: handler(day, 'Day', 2) },
    { from: timestamp, until: body.answered[2].from, handler: handler(day, 'Day', 1) },
  ]);
  const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(await answered()).toStrictEqual([
    { from: seconds, by: 'flow "Night" version 1' },
    { from: seconds, until: seconds, by: 'flow "Night" version 1' },
    { from: seconds, until: seconds, by: 'flow "Day" version 2' },
    { from: seconds, until: seconds, by: 'flow "Day" version 1' },
  ]);
  expect(await answered({ from: body.answered[0].from })).toHaveLength(1);
  expect(await answered({ to: body.answered[2].from })).toHaveLength(1);
  expect(await answered({ operation: 'assign_flow' })).toBeUndefined();
  // The versions of an earlier release have no periods.
  await world.rows('update flow_versions set live_periods = null where flow_id = $1', [day]);
  expect((await answered())[2]).toStrictEqual({ from: seconds, until: seconds, by: 'flow "Day"' });
  const { key } = await world.key(project.projectId, { access: ['read'] });
  expect(await (await overMcp(key))('list_changes', { resource: number })).toStrictEqual({ changes: [] });
});

test('lists 20 changes unless the call asks for more', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow();
  for (let turn = 0; turn < 22; turn++)
    await project.call('PATCH', `/v1/flows/${flowId}`, { name: `Desk ${turn}` });
  const call = await overMcp(project.key);
  const first = (await call('list_changes', {})) as { changes: object[]; nextCursor: string };
  expect(first.changes).toHaveLength(20);
  expect((await call('list_changes', { cursor: first.nextCursor }))['changes']).toHaveLength(3);
  expect((await call('list_changes', { limit: 50 }))['changes']).toHaveLength(23);
});
