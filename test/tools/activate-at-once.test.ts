import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NumberProject, openNumberProject } from '../helpers/number-project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

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

type Input = Record<string, unknown>;

async function call(name: string, input: Input, from = client): Promise<Input> {
  const { structuredContent, isError, content } = await from.callTool({ name, arguments: input });
  return isError ? (JSON.parse(content[0]?.text ?? '') as Input) : (structuredContent as Input);
}

const greeting = 'Hello, I am an AI assistant.';
const steps = { a: { kind: 'greeting', introLine: greeting, on: { next: 'b' } }, b: { kind: 'end' } };
const design = { schemaVersion: 'cd/1', entry: { stepId: 'a' }, steps };
/** A change after which the design needs a secret that the project lacks. */
const withSecret = {
  hooks: {
    before: {
      rootNodeId: 'ask',
      nodes: {
        ask: {
          id: 'ask',
          fetch: {
            url: 'https://shop.example',
            method: 'GET',
            headers: { 'x-shop': '{{secret.MISSING}}' },
            responseMappings: [],
          },
        },
      },
    },
  },
};

const numbersOf = async (name: string, input: Input): Promise<unknown> =>
  ((await call(name, input))['versions'] as { version: number; isActive: boolean }[]).map(
    ({ version, isActive }) => [version, isActive],
  );

test('edit_flow and create_flow_version put their version live at once, and say where callers meet it', async () => {
  await call('create_flow', { name: 'Front desk', flowSchema: { greeting } });
  const { id: phoneNumberId } = await call('import_phone_number', {
    name: 'Main line',
    number: '+12025550101',
    type: 'partner',
    flowId: 'Front desk',
  });
  const flow = { flowId: 'front desk' };
  const edited = await call('edit_flow', {
    ...flow,
    version: 'active',
    merge: { closing: 'Bye.' },
    activate: true,
  });
  expect(edited).toMatchObject({ version: 2, isActive: true, answers: ['+12025550101 Main line'] });
  expect(await numbersOf('list_flow_versions', flow)).toEqual([
    [2, true],
    [1, false],
  ]);
  await call('update_phone_number', { phoneNumberId, status: 'disabled' });
  const created = await call('create_flow_version', { ...flow, flowSchema: { greeting }, activate: true });
  expect(created).toMatchObject({
    version: 3,
    isActive: true,
    answers: ['+12025550101 Main line (disabled)'],
  });
  const { id: versionId } = await call('create_flow_version', { ...flow, flowSchema: { greeting } });
  expect(await call('activate_flow_version', { versionId })).toMatchObject({
    version: 4,
    isActive: true,
    answers: ['+12025550101 Main line (disabled)'],
  });
});

test('edit_design puts its version live at once, and says where callers meet it', async () => {
  const { id: conversationId } = await call('create_conversation', { name: 'Clinic line', design });
  await call('create_web_agent', { name: 'Homepage', conversationId, scopes: ['chat'] });
  const edited = await call('edit_design', {
    conversationId,
    version: 1,
    merge: { steps: { b: { line: 'Goodbye.' } } },
    activate: true,
  });
  expect(edited).toMatchObject({ version: 2, isActive: true, answers: ['web agent Homepage'] });
  expect(await call('get_conversation', { conversationId })).toMatchObject({ activeVersion: 2 });
  const back = await call('activate_conversation_version', { conversationId, version: 1 });
  expect(back).toMatchObject({ activeVersion: 1, answers: ['web agent Homepage'] });
});

test('activate_flow_version takes the flow and the number of a version, or its id', async () => {
  const { versionId } = await call('create_flow', { name: 'Front desk', flowSchema: { greeting } });
  await call('create_flow_version', { flowId: 'Front desk', flowSchema: { greeting, closing: 'Bye.' } });
  const activate = (input: Input) => call('activate_flow_version', input);
  const flow = { flowId: 'front desk' };
  expect(await activate({ ...flow, version: 'newest' })).toMatchObject({ version: 2, isActive: true });
  expect(await activate({ ...flow, version: 1 })).toMatchObject({
    id: versionId,
    version: 1,
    isActive: true,
  });
  expect(await activate({ versionId })).toMatchObject({ version: 1 });
  expect(await activate({ ...flow, version: 3 })).toMatchObject({
    error: { code: 'not_found' },
    hint: expect.stringMatching(/^list_flow_versions /),
  });
  const pathsOf = async (input: Input) => {
    const { error } = (await activate(input)) as { error: { details: { issues: { path: string }[] } } };
    return error.details.issues.map(({ path }) => path);
  };
  expect(await pathsOf({})).toStrictEqual(['/flowId', '/version']);
  expect(await pathsOf(flow)).toStrictEqual(['/version']);
  expect(await pathsOf({ ...flow, version: 1, versionId })).toStrictEqual(['/flowId', '/version']);
  const route = `/v1/flow-versions/${String(versionId)}/activate`;
  const { status } = await world.rest('POST', route, { key: project.key, body: { version: 2 } });
  expect(status).toBe(400);
});

test('restore_version puts what it restores live at once, or stores nothing', async () => {
  await call('create_flow', { name: 'Front desk', flowSchema: { greeting } });
  const number = { name: 'Main line', number: '+12025550101', type: 'partner', flowId: 'Front desk' };
  await call('import_phone_number', number);
  await call('edit_flow', { flowId: 'Front desk', version: 1, merge: { closing: 'Bye.' }, activate: true });
  const { id: conversationId } = await call('create_conversation', { name: 'Clinic line', design });
  await call('create_web_agent', { name: 'Homepage', conversationId, scopes: ['chat'] });
  const bye = { steps: { b: { line: 'Goodbye.' } } };
  await call('edit_design', { conversationId, version: 1, merge: bye, activate: true });
  const both = { flowId: 'Front desk', conversationId, version: 1 };
  const { key } = await world.key(project.projectId, { access: ['read', 'draft'] });
  const drafts = await world.mcp('modern http', key);
  expect(await call('restore_version', { ...both, activate: true }, drafts)).toMatchObject({
    error: { code: 'forbidden' },
  });
  expect(await call('restore_version', { ...both, activate: true })).toMatchObject({
    conversation: { version: 3, answers: ['web agent Homepage'] },
    flow: { version: 3, answers: ['+12025550101 Main line'] },
  });
  expect(await call('get_conversation', { conversationId })).toMatchObject({ activeVersion: 3 });
  expect(await call('get_flow', { flowId: 'Front desk' })).toMatchObject({
    activeVersion: 3,
    flowSchema: { greeting },
  });

  // Version 4 lacks a secret: neither it nor the version of the flow may be stored.
  await call('edit_design', { conversationId, version: 3, merge: withSecret });
  expect(await call('restore_version', { ...both, version: 'newest', activate: true })).toMatchObject({
    error: { code: 'design_invalid' },
    hint: expect.stringMatching(/^Nothing was stored: leave activate out/),
  });
  expect(await call('get_conversation', { conversationId })).toMatchObject({ newestVersion: 4 });
  expect(await call('get_flow', { flowId: 'Front desk' })).toMatchObject({ newestVersion: 3 });
  const draft = (await call('restore_version', { flowId: 'Front desk', version: 2 }))['flow'];
  expect(draft).toMatchObject({ version: 4 });
  expect(draft).not.toHaveProperty('answers');
});

test('a version that a gate refuses is not stored, and the hint says how to store a draft', async () => {
  await call('update_project', { requireDisclosure: true });
  await call('create_flow', { name: 'Front desk', flowSchema: { greeting } });
  const silent = { greeting: 'Hello.' };
  const flow = { flowId: 'Front desk' };
  for (const [name, change] of [
    ['edit_flow', { version: 1, merge: silent }],
    ['create_flow_version', { flowSchema: silent }],
  ] as const)
    expect(await call(name, { ...flow, ...change, activate: true }), name).toMatchObject({
      error: { code: 'flow_schema_invalid' },
      hint: expect.stringMatching(/^Nothing was stored: leave activate out/),
    });
  expect(await numbersOf('list_flow_versions', flow)).toEqual([[1, true]]);

  const { id: conversationId } = await call('create_conversation', { name: 'Clinic line', design });
  const refused = await call('edit_design', {
    conversationId,
    version: 1,
    merge: withSecret,
    activate: true,
  });
  expect(refused).toMatchObject({
    error: { code: 'design_invalid' },
    hint: expect.stringMatching(/^Nothing was stored: leave activate out/),
  });
  expect(await call('get_conversation', { conversationId })).toMatchObject({
    activeVersion: 1,
    newestVersion: 1,
  });
});

test('a key that may only draft cannot put a version live, and stores nothing by trying', async () => {
  await call('create_flow', { name: 'Front desk', flowSchema: { greeting } });
  const { id: conversationId } = await call('create_conversation', { name: 'Clinic line', design });
  const { key } = await world.key(project.projectId, { access: ['read', 'draft'] });
  const drafts = await world.mcp('modern http', key);
  for (const [name, input] of [
    ['edit_flow', { flowId: 'Front desk', version: 1, merge: { closing: 'Bye.' } }],
    ['create_flow_version', { flowId: 'Front desk', flowSchema: { greeting } }],
    ['edit_design', { conversationId, version: 1, merge: { steps: { b: { line: 'Bye.' } } } }],
  ] as const) {
    expect(await call(name, { ...input, activate: true }, drafts), name).toMatchObject({
      error: { code: 'forbidden' },
    });
  }
  expect(await numbersOf('list_flow_versions', { flowId: 'Front desk' })).toEqual([[1, true]]);
  expect(await call('get_conversation', { conversationId })).toMatchObject({ newestVersion: 1 });
  const drafted = await call(
    'edit_flow',
    { flowId: 'Front desk', version: 1, merge: { closing: 'x' } },
    drafts,
  );
  expect(drafted).toMatchObject({ version: 2, isActive: false });
  expect(drafted).not.toHaveProperty('answers');
});

test('assigning names the handler of a number and the one that it replaced', async () => {
  await call('create_flow', { name: 'Front desk', flowSchema: { greeting } });
  await call('create_conversation', { name: 'Clinic line', design });
  await call('import_phone_number', { name: 'Main line', number: '+12025550101', type: 'partner' });
  const number = { phoneNumberId: '+12025550101' };
  const flow = { kind: 'flow', name: 'Front desk', version: 1 };
  const conversation = { kind: 'conversation', name: 'Clinic line', version: 1 };
  expect(await call('assign_flow', { ...number, flowId: 'Front desk' })).toMatchObject({
    handler: flow,
    replaced: null,
  });
  expect(await call('assign_conversation', { ...number, conversationId: 'Clinic line' })).toMatchObject({
    handler: conversation,
    replaced: flow,
  });
  expect(await call('assign_flow', { ...number, flowId: 'Front desk' })).toMatchObject({
    handler: flow,
    replaced: conversation,
  });
});

test('lists name the records to which their items refer: on MCP, and in REST with details', async () => {
  const { id: agentProfileId } = await call('create_agent_profile', { name: 'Anna' });
  await call('create_flow', { name: 'Front desk', flowSchema: { greeting }, agentProfileId });
  await call('create_flow', { name: 'Night line', flowSchema: { greeting } });
  const { id: conversationId } = await call('create_conversation', { name: 'Clinic line', design });
  await call('create_web_agent', { name: 'Homepage', conversationId, scopes: ['chat'] });
  const { flows } = await call('list_flows', {});
  expect(flows).toStrictEqual([
    { id: expect.any(String), name: 'Night line', type: 'simple' },
    { id: expect.any(String), name: 'Front desk', type: 'simple', agentProfileId, agentProfileName: 'Anna' },
  ]);
  expect(await call('list_web_agents', {})).toMatchObject({
    webAgents: [{ conversationId, conversationName: 'Clinic line' }],
  });
  const inRest = async (route: string) =>
    (await world.rest('GET', `/v1/projects/${project.projectId}/${route}`, { key: project.key })).body;
  expect((await inRest('flows?details=true')).flows).toMatchObject([
    { agentProfileName: null },
    { agentProfileName: 'Anna' },
  ]);
  for (const list of [(await inRest('flows')).flows, (await inRest('web-sessions/agents')).webAgents])
    expect(JSON.stringify(list)).not.toMatch(/agentProfileName|conversationName/);
});
