import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesNames } from '../../../src/operation/reference.ts';
import { newId } from '../../../src/platform/id.ts';
import { newScenario } from '../../contract/arrange.ts';
import { tools } from '../../contract/registry.ts';
import { type McpClient, openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  client = await world.mcp('modern http', tenant.key);
});
afterAll(() => world.close());

type Input = Record<string, unknown>;

async function callWith(from: McpClient, name: string, input: Input, idempotencyKey?: string) {
  const _meta = idempotencyKey === undefined ? {} : { _meta: { 'parley/idempotencyKey': idempotencyKey } };
  const { structuredContent, isError, content } = await from.callTool({ name, arguments: input, ..._meta });
  if (isError) return JSON.parse(content[0]?.text ?? '') as { error: Input; hint: string } & Input;
  return structuredContent as Input;
}

async function call(name: string, input: Input, idempotencyKey?: string): Promise<Input> {
  const answer = await callWith(client, name, input, idempotencyKey);
  expect(answer, JSON.stringify(answer)).not.toHaveProperty('error');
  return answer;
}

async function refusal(name: string, input: Input, from = client) {
  const answer = await callWith(from, name, input);
  expect(answer).toHaveProperty('error');
  return answer as { error: { code: string; message: string }; hint: string };
}

const newFlow = async (name: string): Promise<string> =>
  String((await call('create_flow', { name, flowSchema: { greeting: 'I am an AI assistant.' } }))['id']);

test('a name stands for the id of a record of every kind, whatever its case and the spaces around it', async () => {
  const flowId = await newFlow('Über Ärzte');
  const { id: conversationId } = await call('create_conversation', { name: 'Clinic line' });
  const { id: agentProfileId } = await call('create_agent_profile', {
    name: 'Anna',
    flowIds: [' über ärzte', flowId],
  });
  const { id: knowledgeBaseId } = await call('create_knowledge_base', { name: 'Facts' });
  const source = { type: 'file', name: 'Parking', fileName: 'p.txt', mimeType: 'text/plain', content: 'x' };
  const { id: sourceId } = await call('add_knowledge_source', { knowledgeBaseId: 'facts', ...source });
  const { id: phoneNumberId } = await call('import_phone_number', {
    name: 'Main line',
    number: '+12025550101',
    type: 'partner',
    conversationId: 'Clinic line',
  });
  const { id: webAgentId } = await call('create_web_agent', {
    name: 'Homepage',
    conversationId: 'clinic LINE',
    scopes: ['chat'],
  });
  for (const [name, input, expected] of [
    ['get_flow', { flowId: 'ÜBER ÄRZTE ' }, { id: flowId, agentProfileId }],
    ['get_conversation', { conversationId: 'clinic line' }, { id: conversationId }],
    ['get_agent_profile', { agentProfileId: 'anna' }, { id: agentProfileId, flowIds: [flowId] }],
    ['get_knowledge_base', { knowledgeBaseId: 'FACTS' }, { id: knowledgeBaseId }],
    ['get_knowledge_source', { knowledgeBaseId, sourceId: 'parking' }, { id: sourceId }],
    ['get_knowledge_source', { knowledgeBaseId: 'facts', sourceId: 'parking' }, { id: sourceId }],
    ['get_phone_number', { phoneNumberId: 'main line' }, { id: phoneNumberId }],
    ['get_phone_number', { phoneNumberId: '+12025550101' }, { id: phoneNumberId }],
    ['get_web_agent', { webAgentId: 'homepage' }, { id: webAgentId, conversationId }],
    ['update_conversation', { conversationId, agentId: 'Anna' }, { agentId: agentProfileId }],
    ['revoke_key', { keyId: 'spare' }, { status: 'revoked' }],
  ] as const) {
    if (name === 'revoke_key') await call('create_restricted_key', { name: 'Spare', access: ['read'] });
    expect(await call(name, input), name).toMatchObject(expected);
  }
  await call('save_scenarios', {
    conversationId: 'Clinic line',
    scenarios: [newScenario],
  });
  expect(await call('get_scenario', { scenarioId: 'hangs up' })).toMatchObject({ name: newScenario.name });
  const { trashId } = await call('delete_web_agent', { webAgentId: 'Homepage' });
  expect(trashId).toMatch(/^ctr/);
  expect(await call('restore_deleted', { trashId: 'homepage' })).toMatchObject({ id: webAgentId });
});

test('every tool that refers to a record says that it takes names, and shows no pattern', async () => {
  const { tools: listed } = await client.listTools();
  for (const { name, references } of tools) {
    const { properties = {} } = (listed.find((one) => one.name === name)?.inputSchema ?? {}) as {
      properties?: Input;
    };
    for (const { path, name: kind } of references)
      if (takesNames(kind) && path.length === 1)
        expect(JSON.stringify(properties[path[0] ?? '']), name).not.toMatch(/Id from|pattern/);
  }
});

test('an unknown name is not found, with the names that are spelled alike', async () => {
  await newFlow('Night line');
  const { error, hint } = await refusal('get_flow', { flowId: 'Nihgt line' });
  expect(error).toMatchObject({
    code: 'not_found',
    message: 'There is no flow "Nihgt line" in this project.',
  });
  expect(hint).toBe('Did you mean "Night line"? list_flows lists the names.');
  expect((await refusal('get_flow', { flowId: 'zzz' })).hint).toBe('list_flows lists the names.');
  // Other problems of the input come first, as they do for an id without a record.
  const both = await refusal('update_flow', { flowId: 'Nihgt line', name: 7 });
  expect(both.error).toMatchObject({ code: 'invalid_request', message: '/name: Expected string.' });
});

test('a name of a flow that stands for a conversation is found as what it is', async () => {
  await newFlow('Evening desk');
  const { error, hint } = await refusal('read_design', { conversationId: 'evening desk' });
  expect(error.code).toBe('not_found');
  expect(hint).toBe('There is a flow of this name: tools take it as flowId.');
});

test('of several records of a name, the one in the same letters is meant; else the error lists each id', async () => {
  const [upper, lower] = [await newFlow('Reception'), await newFlow('reception')];
  expect(await call('get_flow', { flowId: 'reception' })).toMatchObject({ id: lower });
  const { error, hint } = await refusal('get_flow', { flowId: 'RECEPTION' });
  expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('2 records') });
  expect(hint).toContain(upper);
  expect(hint).toContain(lower);
});

test('the last four or more digits of a phone number stand for it if no other number ends so', async () => {
  const own = await world.mcp('modern http', (await world.tenant()).key);
  const ids: string[] = [];
  for (const [name, number] of [
    ['Front', '+12025550143'],
    ['Back', '+13125550143'],
    ['2222', '+12025552244'],
    ['Lab', '+12025552222'],
  ]) {
    const made = await callWith(own, 'import_phone_number', { name, number, type: 'partner' });
    ids.push(String(made['id']));
  }
  const [front, back, called] = ids;
  const read = async (phoneNumberId: string) => callWith(own, 'get_phone_number', { phoneNumberId });
  for (const [text, id] of [
    ['2244', called],
    ['555-2244', called],
    ['202 555 0143', front],
    ['+1 (312) 555-0143', back],
    // A name comes before the end of a number.
    ['2222', called],
  ] as const)
    expect((await read(text))['id'], text).toBe(id);
  const { error, hint } = await refusal('get_phone_number', { phoneNumberId: '0143' }, own);
  expect(error).toMatchObject({
    code: 'not_found',
    message: '2 records of the kind phone number end with "0143".',
  });
  expect(hint).toMatch(new RegExp(`${back} \\(\\+13125550143\\), ${front} \\(\\+12025550143\\)`));
  for (const wrong of ['143', '+0143', '0144'])
    expect((await refusal('get_phone_number', { phoneNumberId: wrong }, own)).error.message).toContain(
      'There is no phone number',
    );
  expect(await callWith(own, 'list_changes', { resource: '2244' })).toMatchObject({
    changes: [{ what: 'import_phone_number "2222"' }],
  });
  expect((await refusal('list_changes', { resource: '0143' }, own)).hint).toBe(
    'Give one: +13125550143, +12025550143.',
  );
});

test('the sources of other knowledge bases are not meant', async () => {
  for (const base of ['First base', 'Second base']) {
    await call('create_knowledge_base', { name: base });
    const source = { type: 'file', name: 'Prices', fileName: 'p.txt', mimeType: 'text/plain', content: base };
    await call('add_knowledge_source', { knowledgeBaseId: base, ...source });
  }
  const [first, second] = await Promise.all(
    ['first base', 'second base'].map((knowledgeBaseId) =>
      call('get_knowledge_source', { knowledgeBaseId, sourceId: 'Prices' }),
    ),
  );
  expect(first?.['id']).not.toBe(second?.['id']);
  await call('create_knowledge_base', { name: 'Third base' });
  const { error } = await refusal('get_knowledge_source', {
    knowledgeBaseId: 'Third base',
    sourceId: 'Prices',
  });
  expect(error.code).toBe('not_found');
});

test('a name of another project is not found, and its names are not suggested', async () => {
  const other = await world.mcp('modern http', (await world.tenant()).key);
  await newFlow('Only in the first project');
  const { error, hint } = await refusal('get_flow', { flowId: 'Only in the first project' }, other);
  expect(error.code).toBe('not_found');
  expect(hint).toBe('list_flows lists the names.');
});

test('a text in the form of an id is never a name', async () => {
  const id = newId('flow');
  await newFlow(id);
  expect((await refusal('get_flow', { flowId: id })).error.code).toBe('not_found');
});

test('a key that may not list records learns nothing from their names', async () => {
  await newFlow('Secret plan');
  const { key } = await world.key(tenant.projectId, { access: ['draft'] });
  const drafts = await world.mcp('modern http', key);
  const edit = { version: 'newest', merge: {} };
  const known = await refusal('edit_flow', { flowId: 'Secret plan', ...edit }, drafts);
  const unknown = await refusal('edit_flow', { flowId: 'Sicret plan', ...edit }, drafts);
  expect(known.hint).toBe(unknown.hint);
  expect(known.error.message.replace('Secret', 'Sicret')).toBe(unknown.error.message);
  expect(known.error.code).toBe('not_found');
  // Only administrators list keys.
  const { key: readOnly } = await world.key(tenant.projectId, { access: ['read'] });
  const reads = await world.mcp('modern http', readOnly);
  expect((await refusal('list_changes', { keyId: 'Key' }, reads)).error.code).toBe('not_found');
});

test('a retry with an idempotency key returns the first result, although the name is gone', async () => {
  await newFlow('Before');
  const rename = { flowId: 'Before', name: 'After' };
  const first = await call('update_flow', rename, 'rename-1');
  expect(await call('update_flow', rename, 'rename-1')).toEqual(first);
  expect((await refusal('update_flow', rename)).error.code).toBe('not_found');
  const other = await callWith(client, 'update_flow', { ...rename, name: 'Later' }, 'rename-1');
  expect(other).toMatchObject({ error: { code: 'invalid_request' } });
});

test.each(['a\0b', '\ud800', '__proto__', '%', "'; drop table flows; --"])(
  'refuses the name %j and stays well',
  async (flowId) => {
    const { error } = await refusal('get_flow', { flowId });
    expect(['not_found', 'invalid_request']).toContain(error.code);
  },
);

test('REST takes ids only', async () => {
  await newFlow('Day line');
  const answer = await world.rest('GET', '/v1/flows/Day%20line', { key: tenant.key });
  expect(answer.status).toBe(400);
});
