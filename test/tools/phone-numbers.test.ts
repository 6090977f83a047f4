import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { created, refused } from '../helpers/design-project.ts';
import { type NumberProject, nextNumber, openNumberProject, trunk } from '../helpers/number-project.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: NumberProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openNumberProject(world);
});
afterAll(() => world.close());

const answered = { status: 200, code: undefined };
const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => ({
  status,
  code: body.error?.code,
});

test('imports an external number with its trunk, enabled, and reads the same record afterwards', async () => {
  const flowId = await project.newFlow();
  const number = nextNumber();
  const answer = await project.importNumber({
    name: 'Practice',
    number,
    flowId,
    externalPhoneFields: {
      provider: 'telnyx',
      terminationUri: 'sip:trunk@sip.telnyx.example:5061',
      transport: 'tls',
      authUsername: 'practice',
      authPassword: 'hidden',
      allowedAddresses: ['203.0.113.0/24'],
    },
  });
  expect(created(answer)).toStrictEqual({
    id: expect.stringMatching(/^cpn/),
    projectId: project.projectId,
    type: 'external',
    name: 'Practice',
    number,
    status: 'enabled',
    flowId,
    externalPhoneFields: {
      provider: 'telnyx',
      terminationUri: 'sip:trunk@sip.telnyx.example:5061',
      transport: 'tls',
      authUsername: 'practice',
      hasAuth: true,
      allowedAddresses: ['203.0.113.0/24'],
    },
    createdAt: timestamp,
    updatedAt: answer.body.createdAt,
    handler: { kind: 'flow', id: flowId, name: 'Flow', version: 1 },
  });
  expect(await project.read(answer.body.id)).toStrictEqual(answer.body);
  expect((await project.call('GET', project.numbers)).body).toStrictEqual({ phoneNumbers: [answer.body] });
});

test('imports a number that a conversation answers, and refuses two handlers and a conversation of another project', async () => {
  const [flowId, conversationId] = [await project.newFlow(), await project.newConversation()];
  const answer = created(await project.importNumber({ conversationId, flowId: null }));
  expect(answer).toMatchObject({ flowId: null, handler: { kind: 'conversation', id: conversationId } });
  expect(await project.read(answer.id)).toStrictEqual(answer);
  const both = await project.importNumber({ conversationId, flowId });
  expect(refused(both, 400, 'invalid_request').details.issues).toEqual([
    { in: 'body', path: '/conversationId', message: 'A number has one handler: leave this or flowId out.' },
  ]);
  const foreign = await (await openNumberProject(world)).newConversation();
  for (const unknown of [foreign, newId('conversation'), flowId])
    refused(await project.importNumber({ conversationId: unknown }), 404, 'not_found');
  expect((await project.call('GET', project.numbers)).body.phoneNumbers).toHaveLength(1);
});

test('returns null or an empty list for the optional members of a trunk', async () => {
  const { externalPhoneFields, handler } = await project.read(await project.newNumber());
  expect(externalPhoneFields).toStrictEqual({
    ...trunk,
    authUsername: null,
    hasAuth: false,
    allowedAddresses: [],
  });
  expect(handler).toBeNull();
});

test('rejects a partner number with a trunk, an external one without, and a native one', async () => {
  for (const externalPhoneFields of [undefined, null])
    expect(created(await project.importNumber({ type: 'partner', externalPhoneFields }))).toMatchObject({
      type: 'partner',
      externalPhoneFields: null,
    });
  const issuesOf = async (body: Record<string, unknown>) =>
    refused(await project.importNumber(body), 400, 'invalid_request').details.issues;
  expect(await issuesOf({ type: 'partner' })).toMatchObject([
    {
      path: '/externalPhoneFields',
      message: 'A partner number has no trunk: leave externalPhoneFields out.',
    },
  ]);
  for (const externalPhoneFields of [undefined, null])
    expect(await issuesOf({ externalPhoneFields })).toMatchObject([
      { path: '/externalPhoneFields', message: 'Is required for an external number.' },
    ]);
  expect(await issuesOf({ type: 'native' })).toMatchObject([{ path: '/type' }]);
});

test('reports all problems of a number at once, with its correct form', async () => {
  const externalPhoneFields = {
    ...trunk,
    terminationUri: 'not a host',
    allowedAddresses: ['203.0.113.1', 'anywhere'],
    authPassword: 'hidden',
  };
  const answer = await project.importNumber({ number: '+1 (202) 555-0123', externalPhoneFields });
  const { issues } = refused(answer, 400, 'invalid_request').details;
  expect(issues.map(({ path }: { path: string }) => path)).toStrictEqual([
    '/number',
    '/externalPhoneFields/terminationUri',
    '/externalPhoneFields/allowedAddresses/1',
    '/externalPhoneFields/authUsername',
  ]);
  expect(issues[0].message).toBe('Expected E.164, which is +12025550123 here.');
});

test('returns in_use for a number of the project, but not for one of another project', async () => {
  const number = nextNumber();
  const id = await project.newNumber({ name: 'First', number });
  const { details } = refused(await project.importNumber({ number }), 409, 'in_use');
  expect(details).toStrictEqual({ references: [{ kind: 'phoneNumber', id, name: 'First' }] });
  created(await (await openNumberProject(world)).importNumber({ number }));
});

test('returns 404 for a missing flow before it checks the plan and the number', async () => {
  const foreign = await (await openNumberProject(world)).newFlow();
  const poor = await openNumberProject(world, { plan: 'free' });
  const number = nextNumber();
  await poor.newNumber({ number });
  for (const flowId of [foreign, newId('flow')])
    refused(await poor.importNumber({ number, flowId }), 404, 'not_found');
});

test('changes only what the update names, and nothing for an empty one', async () => {
  const id = await project.newNumber();
  await world.rows(`update phone_numbers set updated_at = updated_at - interval '1 hour' where id = $1`, [
    id,
  ]);
  const before = await project.read(id);
  expect((await project.update(id, {})).body).toStrictEqual(before);
  const { body: renamed } = await project.update(id, { name: 'Night', status: 'disabled' });
  expect(renamed).toStrictEqual({
    ...before,
    name: 'Night',
    status: 'disabled',
    updatedAt: renamed.updatedAt,
  });
  expect(renamed.updatedAt > before.updatedAt).toBe(true);
  refused(await project.update(id, { number: nextNumber() }), 400, 'invalid_request');
  refused(await project.update(newId('phoneNumber'), {}), 404, 'not_found');
});

test('merges a change of the trunk, and keeps the password until null removes it', async () => {
  const given = { ...trunk, authUsername: 'day', authPassword: 'hidden', allowedAddresses: ['203.0.113.1'] };
  const id = await project.newNumber({ externalPhoneFields: given });
  const sealed = async () =>
    (await world.rows('select sealed_auth_password from phone_numbers where id = $1', [id]))[0];
  const first = await sealed();
  const change = async (externalPhoneFields: object) =>
    (await project.update(id, { externalPhoneFields })).body.externalPhoneFields;
  const { authPassword: _, ...visible } = given;
  expect(await change({ transport: 'tls' })).toStrictEqual({ ...visible, transport: 'tls', hasAuth: true });
  expect(await sealed()).toStrictEqual(first);
  expect(await change({ authPassword: 'another' })).toMatchObject({ hasAuth: true });
  expect(await sealed()).not.toStrictEqual(first);
  for (const authPassword of ['', 7])
    refused(await project.update(id, { externalPhoneFields: { authPassword } }), 400, 'invalid_request');
  expect(await change({ authUsername: null, authPassword: null, allowedAddresses: [] })).toStrictEqual({
    ...trunk,
    transport: 'tls',
    authUsername: null,
    hasAuth: false,
    allowedAddresses: [],
  });
});

test('rejects a change whose result contradicts itself, and writes nothing', async () => {
  const given = { ...trunk, authUsername: 'day', authPassword: 'hidden' };
  const id = await project.newNumber({ externalPhoneFields: given });
  const before = await project.read(id);
  const pathOf = async (externalPhoneFields: object) => {
    const answer = await project.update(id, { name: 'Changed', externalPhoneFields });
    return refused(answer, 400, 'invalid_request').details.issues[0].path;
  };
  expect(await pathOf({ authUsername: null })).toBe('/externalPhoneFields/authUsername');
  expect(await pathOf({ terminationUri: 'sips:sip.example.com' })).toBe('/externalPhoneFields/transport');
  expect(await pathOf({ terminationUri: 'a b' })).toBe('/externalPhoneFields/terminationUri');
  expect(await project.read(id)).toStrictEqual(before);
  const partner = await project.newNumber({ type: 'partner', externalPhoneFields: null });
  const answer = await project.update(partner, { externalPhoneFields: { transport: 'tls' } });
  expect(refused(answer, 400, 'invalid_request').details.issues).toMatchObject([
    {
      in: 'body',
      path: '/externalPhoneFields',
      message: 'A partner number has no trunk: leave externalPhoneFields out.',
    },
  ]);
});

test.for<[text: string, accepted: boolean]>([
  ['sip.example.com', true],
  ['trunk-1.pstn.example.com:5060', true],
  ['203.0.113.7', true],
  ['[2001:db8::7]:5061', true],
  ['sip:sip.example.com', true],
  ['sip:+12025550123@sip.example.com:5060', true],
  ['SIP:a%20b@host', true],
  ['sip:user:password@sip.example.com', false],
  ['sip:sip.example.com;transport=tls', false],
  ['sip:sip.example.com?subject=x', false],
  ['tel:+12025550123', false],
  ['https://sip.example.com', false],
  ['user@sip.example.com', false],
  ['sip:@sip.example.com', false],
  ['-sip.example.com', false],
  ['sip..example.com', false],
  ['sip.example.com:0', false],
  ['sip.example.com:65536', false],
  ['1.2.3', false],
  ['256.1.1.1', false],
  ['[::g]', false],
  ['sip.example.com\r\nVia: x', false],
  [`${'a'.repeat(64)}.example.com`, false],
])('the termination URI %s: accepted %s', async ([terminationUri, accepted]) => {
  const { status } = await project.importNumber({ externalPhoneFields: { ...trunk, terminationUri } });
  expect(status).toBe(accepted ? 201 : 400);
});

test.for<[address: string, accepted: boolean]>([
  ['203.0.113.7', true],
  ['203.0.113.0/24', true],
  ['0.0.0.0/0', true],
  ['2001:db8::/128', true],
  ['203.0.113.0/33', false],
  ['203.0.113.0/024', false],
  ['203.0.113.0/', false],
  ['203.0.113.0/8/8', false],
  ['203.0.113', false],
  ['2001:db8::/129', false],
  ['fe80::1%eth0', false],
  ['sip.example.com', false],
])('the allowed address %s: accepted %s', async ([address, accepted]) => {
  const externalPhoneFields = { ...trunk, allowedAddresses: [address] };
  expect((await project.importNumber({ externalPhoneFields })).status).toBe(accepted ? 201 : 400);
});

test('replaces a flow by a conversation and back, and null removes only its own kind', async () => {
  const [flow, other, conversation] = [
    await project.newFlow(),
    await project.newFlow(),
    await project.newConversation(),
  ];
  const id = await project.newNumber();
  const { handler: _, ...record } = await project.read(id);
  const handlerNow = async () => (await project.read(id)).handler;
  const [asFlow, asConversation] = [
    (flowId: string) => ({ kind: 'flow', id: flowId, name: 'Flow', version: 1 }),
    { kind: 'conversation', id: conversation, name: 'Reception', version: 1 },
  ];

  const first = await project.assignFlow(id, flow);
  expect(first.body).toStrictEqual({ ...record, flowId: flow, updatedAt: first.body.updatedAt });
  expect((await project.assignFlow(id, other)).body.flowId).toBe(other);
  expect(await handlerNow()).toStrictEqual(asFlow(other));

  const taken = await project.assignConversation(id, conversation);
  expect(taken.body).toStrictEqual({
    ...record,
    updatedAt: taken.body.updatedAt,
    conversationId: conversation,
    handler: asConversation,
    replaced: asFlow(other),
  });
  expect((await project.assignConversation(id, conversation)).body).toStrictEqual({
    ...taken.body,
    replaced: null,
  });
  expect((await project.assignFlow(id, null)).body.flowId).toBeNull();
  expect(await handlerNow()).toStrictEqual(asConversation);

  await project.assignFlow(id, flow);
  expect((await project.assignConversation(id, null)).body).toMatchObject({
    flowId: flow,
    conversationId: null,
    handler: asFlow(flow),
    replaced: null,
  });
  await project.assignConversation(id, conversation);
  expect((await project.assignConversation(id, null)).body).toMatchObject({
    conversationId: null,
    handler: null,
    replaced: asConversation,
  });
});

test('requires a flowId in assign_flow, and changes nothing for an empty assign_conversation', async () => {
  const id = await project.newNumber({ flowId: await project.newFlow() });
  const before = await project.read(id);
  const flowRoute = `/v1/phone-numbers/${id}/flow`;
  for (const body of [{}, { flowId: 'nonsense!' }, { flowId: 7 }])
    refused(await project.call('PATCH', flowRoute, body), 400, 'invalid_request');
  expect(await project.call('PATCH', `/v1/numbers/${id}`, {})).toMatchObject({
    status: 200,
    body: { handler: before.handler, replaced: null },
  });
  refused(await project.assignConversation(id, 'nonsense!'), 400, 'invalid_request');
  refused(await project.assignConversation(id, newId('conversation')), 404, 'not_found');
  refused(await project.assignFlow(id, newId('flow')), 404, 'not_found');
  expect(await project.read(id)).toStrictEqual(before);
});

test('returns in_use for a flow or conversation of a number until the number has another handler', async () => {
  const [flow, conversation] = [await project.newFlow(), await project.newConversation()];
  const id = await project.newNumber({ name: 'Desk', flowId: flow });
  const references = [{ kind: 'phoneNumber', id, name: 'Desk' }];
  const deleted = [
    () => project.call('DELETE', `/v1/flows/${flow}`),
    () => project.call('DELETE', `/v1/conversations/${conversation}`),
  ] as const;
  expect(refused(await deleted[0](), 409, 'in_use').details).toStrictEqual({ references });
  await project.assignConversation(id, conversation);
  expect(outcome(await deleted[0]())).toEqual(answered);
  expect(refused(await deleted[1](), 409, 'in_use').details).toStrictEqual({ references });
  await project.remove(id);
  expect(outcome(await deleted[1]())).toEqual(answered);
});

test('warns on MCP if a disabled number gets a handler, with the call that enables it', async () => {
  const [flowId, conversationId] = [await project.newFlow(), await project.newConversation()];
  const id = await project.newNumber();
  const client = await world.mcp('modern http', project.key);
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: { phoneNumberId: id, ...input } })).structuredContent as Record<
      string,
      unknown
    >;
  expect(await call('assign_flow', { flowId })).not.toHaveProperty('warnings');
  await project.update(id, { status: 'disabled' });
  const warnings = [
    {
      message: 'The number is disabled: it takes no calls.',
      hint: `update_phone_number {"phoneNumberId":"${id}","status":"enabled"} lets calls through.`,
    },
  ];
  expect(await call('assign_flow', { flowId })).toMatchObject({ warnings });
  expect(await call('assign_conversation', { conversationId })).toMatchObject({ warnings });
  expect(await call('assign_conversation', { conversationId: null })).not.toHaveProperty('warnings');
  expect((await project.assignFlow(id, flowId)).body).not.toHaveProperty('warnings');
});
