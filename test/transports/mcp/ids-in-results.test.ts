import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NumberProject, openNumberProject } from '../../helpers/number-project.ts';
import { type McpClient, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: NumberProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openNumberProject(world, { plan: 'enterprise' });
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

async function call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: input });
  expect(isError, JSON.stringify(content)).not.toBe(true);
  return structuredContent as Record<string, unknown>;
}

test('create_flow returns the id of version 1 on MCP, and the exact record of a flow over REST', async () => {
  const { versionId, ...flow } = await call('create_flow', {
    name: 'Hours',
    flowSchema: { greeting: 'Hello, I am an AI assistant.' },
  });
  const version = await call('get_flow_version', { versionId });
  expect(version).toMatchObject({ id: versionId, flowId: flow['id'], version: 1, isActive: true });
  const { body } = await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
    name: 'Hours',
    flowSchema: {},
  });
  expect(Object.keys(body)).toEqual([
    'id',
    'projectId',
    'name',
    'type',
    'description',
    'agentProfileId',
    'createdAt',
    'updatedAt',
  ]);
});

test('a deletion returns the id with which restore_deleted brings the record back', async () => {
  const { id: flowId } = await call('create_flow', { name: 'Hours', flowSchema: {} });
  const { id: conversationId } = await call('create_conversation', { name: 'Front desk' });
  const phoneNumberId = await project.newNumber();
  for (const [name, input, id] of [
    ['delete_flow', { flowId }, flowId],
    ['delete_conversation', { conversationId }, conversationId],
    ['delete_phone_number', { phoneNumberId }, phoneNumberId],
  ] as const) {
    const { trashId, ...rest } = await call(name, input);
    expect(rest).toEqual({ id, deleted: true });
    expect(await call('restore_deleted', { trashId })).toMatchObject({ id, restored: true });
  }
});

test('get_conversation returns the numbers of the active and the newest version', async () => {
  const { id: conversationId } = await call('create_conversation', { name: 'Front desk' });
  await call('edit_design', {
    conversationId,
    version: 'newest',
    merge: { variables: [{ id: 'wish', name: 'wish', type: 'text' }] },
  });
  const read = await call('get_conversation', { conversationId });
  expect(read).toMatchObject({ activeVersion: 1, newestVersion: 2 });
  const { body } = await project.call('GET', `/v1/conversations/${String(conversationId)}`);
  const { newestVersion: _, requireScenarios: __, ...record } = read;
  expect(body, 'MCP shows the record of REST without what says nothing').toMatchObject(record);
  expect(body).not.toHaveProperty('newestVersion');
});
