import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/platform/id.ts';
import { disclosing } from '../designs/disclosed.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

/** Collects first, discloses only if the caller asks for help, and then asks for the number again. */
const careless: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'number' },
  variables: [{ id: 'order', type: 'text' }],
  steps: {
    number: {
      kind: 'collect',
      prompt: 'Your order number, please.',
      collect: [{ id: 'order', variableId: 'order' }],
      on: { next: 'menu', failed: 'help' },
    },
    menu: {
      kind: 'route',
      options: [
        { id: 'again', title: 'Again', description: 'Another order.', target: 'number' },
        { id: 'bye', title: 'Done', description: 'Nothing more.', target: 'bye' },
      ],
    },
    help: { kind: 'greeting', introLine: disclosing, on: { next: 'number' } },
    bye: { kind: 'end' },
  },
};

/** The members of a proof that the tests read. */
interface Shown {
  readonly property: { readonly property: string };
  readonly holds: boolean;
  readonly message: string;
  readonly counterexample?: { readonly id: string; readonly exit: string | null }[] | null;
  readonly call?: string[];
}

interface ShownVersion {
  readonly version: number;
  readonly tag?: string;
  readonly isActive: boolean;
  readonly holds: boolean;
  readonly note?: string;
  readonly proofs: Shown[];
}

const prove = (conversationId: string, body: unknown = {}) =>
  project.call('POST', `/v1/conversations/${conversationId}/designs/prove`, body);

/** The versions that a proof over REST returns. */
async function proved(conversationId: string, body: unknown = {}): Promise<ShownVersion[]> {
  const { status, body: result } = await prove(conversationId, body);
  expect(status, JSON.stringify(result)).toBe(200);
  expect(result.holds).toBe(result.versions.every(({ holds }: ShownVersion) => holds));
  return result.versions;
}

/** The result of prove_design over MCP. */
async function provedOnMcp(input: Record<string, unknown>) {
  const client = await world.mcp('modern http', project.key);
  const { content, isError } = await client.callTool({ name: 'prove_design', arguments: input });
  expect(isError, content[0]?.text).toBeUndefined();
  return JSON.parse(content[0]?.text ?? '');
}

test('proves the five default properties of the newest version, or returns the shortest counterexample', async () => {
  const conversationId = await project.newConversation();
  expect(await proved(conversationId)).toMatchObject([
    { version: 1, tag: 'v1', isActive: true, holds: true },
  ]);
  created(await project.write(conversationId, careless));
  const [newest] = await proved(conversationId);
  expect(newest).toMatchObject({ version: 2, isActive: false, holds: false });
  const proofs = newest?.proofs ?? [];
  expect(
    proofs.map(({ property: { property }, holds, counterexample }) => [
      property,
      holds,
      counterexample?.map(({ id, exit }) => `${id} ${exit}`) ?? null,
    ]),
  ).toStrictEqual([
    ['everyPathEnds', true, null],
    ['asksOnce', false, ['number next', 'menu again', 'number null']],
    ['disclosedBeforeCollecting', false, ['number null']],
    ['disclosedFirst', false, ['number null']],
    ['consentBeforeTranscript', true, null],
  ]);
  expect(proofs[4]?.message).toBe('Holds, because no call sends a transcript or a recording.');
});

test('proves the requested properties of the requested version', async () => {
  const conversationId = await project.newConversation();
  created(await project.write(conversationId, careless));
  const properties = [
    { property: 'alwaysBefore', always: { step: 'number' }, before: { kind: 'end' } },
    { property: 'neverAfter', never: { kind: 'collect' }, after: { kind: 'greeting' } },
    { property: 'asksOnce', variable: 'order' },
  ];
  const [version, ...others] = await proved(conversationId, { version: 2, properties });
  const proofs = version?.proofs ?? [];
  expect(others).toStrictEqual([]);
  expect(proofs.map(({ holds }) => holds)).toStrictEqual([true, false, false]);
  expect(proofs.map(({ property }) => property)).toStrictEqual(properties);
  expect(proofs[1]?.counterexample).toStrictEqual([
    { at: 'step', id: 'number', exit: 'failed' },
    { at: 'step', id: 'help', exit: 'next' },
    { at: 'step', id: 'number', exit: null },
  ]);
});

test('proves the newest and the active version unless the call names versions', async () => {
  const conversationId = await project.newConversation();
  created(await project.write(conversationId, careless));
  const shown = (versions: ShownVersion[]) =>
    versions.map(({ version, isActive, holds }) => [version, isActive, holds]);
  const both = [
    [2, false, false],
    [1, true, true],
  ];
  expect(shown(await proved(conversationId))).toStrictEqual(both);
  expect(shown(await proved(conversationId, { version: [1, 2, 1] }))).toStrictEqual(both.toReversed());
  const onMcp = async (input: object) => shown((await provedOnMcp({ conversationId, ...input })).versions);
  expect(await onMcp({})).toStrictEqual(both);
  expect(await onMcp({ version: ['active', 'newest', 2] })).toStrictEqual(both.toReversed());
  expect(await onMcp({ version: 'newest' })).toStrictEqual([[2, false, false]]);
  await project.activate(conversationId, 1);
  refused(await prove(conversationId, { version: [1, 3] }), 404, 'not_found');
});

test('limits the versions and proofs of one call, and takes words for versions on MCP only', async () => {
  const conversationId = await project.newConversation();
  const refusal = async (body: unknown) =>
    refused(await prove(conversationId, body), 400, 'invalid_request').details.issues;
  expect(await refusal({ version: Array.from({ length: 11 }, (_, n) => n + 1) })).toMatchObject([
    { path: '/version' },
  ]);
  expect(await refusal({ version: [] })).toMatchObject([{ path: '/version' }]);
  expect(await refusal({ version: [1, 'newest'] })).toMatchObject([
    { path: '/version/1', message: 'Expected number.' },
  ]);
  const properties = Array.from({ length: 26 }, () => ({ property: 'everyPathEnds' }));
  expect(await refusal({ version: [1, 2, 3, 4], properties })).toMatchObject([
    {
      path: '/properties',
      message: '26 properties of 4 versions are more than 100 proofs: ask for fewer.',
    },
  ]);
});

test('tells a counterexample in words: what the caller hears and does', async () => {
  const conversationId = await project.newConversation();
  const named = { ...careless.steps['menu'], name: 'Main menu', prompt: 'Anything else?' };
  created(await project.write(conversationId, { ...careless, steps: { ...careless.steps, menu: named } }));
  const call = [
    'number asks "Your order number, please."; the caller answers',
    'Main menu (menu) asks "Anything else?"; the caller chooses "Again"',
    'number asks "Your order number, please."',
  ];
  const [rest] = await proved(conversationId, { version: 2 });
  expect(rest?.proofs[1]).toMatchObject({ holds: false, call });
  const { versions } = await provedOnMcp({ conversationId, version: 2 });
  expect(versions[0].proofs[1]).toStrictEqual({
    property: { property: 'asksOnce' },
    holds: false,
    message: 'A call can reach step "number", which asks for "order" again.',
    call,
  });
});

test('quotes the line that discloses the AI, and tells a long call in at most 150 tokens', async () => {
  const conversationId = await project.newConversation();
  const long = `Hello, I am an AI assistant. ${'We are glad that you call us today. '.repeat(4)}`;
  const asking = (n: number, next: string) => ({
    kind: 'message' as const,
    name: `Part ${n} of what callers should know`,
    text: 'Please listen carefully to what follows, because it matters. '.repeat(5),
    on: { next },
  });
  const parts = Array.from({ length: 20 }, (_, n) => [`part${n}`, asking(n, `part${n + 1}`)] as const);
  created(
    await project.write(conversationId, {
      schemaVersion: 'cd/1',
      entry: { stepId: 'welcome' },
      steps: {
        welcome: { kind: 'greeting', introLine: long, on: { next: 'part0' } },
        ...Object.fromEntries(parts),
        part20: { kind: 'answer', instruction: 'Answer.', on: { next: 'bye' } },
        bye: { kind: 'end' },
      },
    }),
  );
  const properties = [
    { property: 'disclosedFirst' },
    { property: 'neverAfter', never: { kind: 'answer' }, after: { kind: 'greeting' } },
  ];
  const { versions } = await provedOnMcp({ conversationId, version: 2, properties });
  const [disclosed, never] = versions[0].proofs;
  expect(disclosed.message).toBe(
    'Holds for every call: first welcome says "Hello, I am an AI assistant. We are glad that you call us today. We are glad th…".',
  );
  expect(never.call).toHaveLength(7);
  expect(never.call[3]).toBe('16 more places');
  expect(never.call.at(-1)).toBe('part20 answers with a model');
  expect(countTokens(JSON.stringify(never.call))).toBeLessThanOrEqual(150);
});

test('shows proofs that two versions share once on MCP', async () => {
  const conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  const goodbye = { kind: 'end', line: 'Bye.' };
  created(await project.write(conversationId, { ...design, steps: { ...design.steps, goodbye } }));
  created(await project.write(conversationId, careless));
  const { versions } = await provedOnMcp({ conversationId, version: [2, 1, 3] });
  const [second, first, third] = versions;
  expect(second.proofs).toHaveLength(5);
  expect(first).toStrictEqual({ version: 1, tag: 'v1', isActive: true, holds: true, sameProofsAs: 2 });
  expect(third).toMatchObject({ holds: false, proofs: { length: 5 } });
});

test('shortens 100 broken proofs on MCP to what a host takes', async () => {
  const conversationId = await project.newConversation();
  for (const prompt of ['Your order number, please.', '您的订单号是多少？'.repeat(10)])
    created(
      await project.write(conversationId, {
        ...careless,
        steps: { ...careless.steps, number: { ...careless.steps['number'], prompt } },
      }),
    );
  const properties = Array.from({ length: 50 }, () => ({
    property: 'alwaysBefore',
    always: { kind: 'transfer' },
    before: { step: 'bye' },
  }));
  const result = await provedOnMcp({ conversationId, version: [2, 3], properties });
  expect(result).toMatchObject({ holds: false, truncated: true, versions: [{ version: 2 }, { version: 3 }] });
  expect(result.versions[1].proofs.length).toBeGreaterThan(10);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(40_000);
});

test('proves a version that lacks a step of a property, and refuses a step that no version has', async () => {
  const conversationId = await project.newConversation();
  created(await project.write(conversationId, careless));
  const properties = [{ property: 'alwaysBefore', always: { step: 'number' }, before: { step: 'menu' } }];
  const [newest, live] = await proved(conversationId, { properties });
  expect(newest).toMatchObject({ version: 2, holds: true });
  expect(live?.proofs).toMatchObject([
    {
      holds: true,
      message:
        'Holds, because no call reaches `before`. This version has no step "number" and no step "menu".',
    },
  ]);
  const unknown = [{ property: 'alwaysBefore', always: { step: 'nmber' }, before: { step: 'menu' } }];
  const { details } = refused(await prove(conversationId, { properties: unknown }), 400, 'invalid_request');
  expect(details.issues).toMatchObject([
    { path: '/properties/0/always/step', message: 'There is no step "nmber" in these versions.' },
  ]);
});

test('proves a draft although the active version has a step that the API does not expose', async () => {
  const conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  created(await project.write(conversationId, design));
  await project.store(conversationId, 1, {
    schemaVersion: 'cd/1',
    entry: { stepId: 'a' },
    steps: { a: { kind: 'teleport' } },
  });
  const [draft, live] = await proved(conversationId);
  expect(draft).toMatchObject({ version: 2, holds: true });
  expect(live).toMatchObject({
    version: 1,
    isActive: true,
    holds: false,
    note: expect.stringMatching(/nothing is proved/),
    proofs: [],
  });
  refused(await prove(conversationId, { version: [2, 1] }), 501, 'unsupported_step');
});

test('returns invalid_request for an unknown step, node or variable', async () => {
  const conversationId = await project.newConversation();
  const { details } = refused(
    await prove(conversationId, {
      properties: [
        { property: 'alwaysBefore', always: { step: 'greting' }, before: { hookNode: 'log' } },
        { property: 'asksOnce', variable: 'order' },
      ],
    }),
    400,
    'invalid_request',
  );
  expect(details.issues.map(({ path }: { path: string }) => path)).toStrictEqual([
    '/properties/0/always/step',
    '/properties/0/before/hookNode',
    '/properties/1/variable',
  ]);
});

test('requires exactly one member in a place selector', async () => {
  const conversationId = await project.newConversation();
  const places = [{}, { step: 'greeting', kind: 'greeting' }];
  for (const always of places) {
    const properties = [{ property: 'alwaysBefore', always, before: { kind: 'end' } }];
    const { details } = refused(await prove(conversationId, { properties }), 400, 'invalid_request');
    expect(details.issues).toStrictEqual([
      {
        in: 'body',
        path: '/properties/0/always',
        message: 'Expected exactly one of step, hookNode, kind, action.',
      },
    ]);
  }
});

test('returns an error for a design that cannot be read', async () => {
  refused(await prove(newId('conversation')), 404, 'not_found');
  const conversationId = await project.newConversation();
  refused(await prove(conversationId, { version: 2 }), 404, 'not_found');
  refused(await prove(await project.newConversation({ kind: 'simple' })), 501, 'not_yet_supported');
  await project.store(conversationId, 1, {
    schemaVersion: 'cd/1',
    entry: { stepId: 'a' },
    steps: { a: { kind: 'teleport' } },
  });
  refused(await prove(conversationId), 501, 'unsupported_step');
});

/** What a whole project breaks. MCP shows the same, and of what holds only which it is. */
async function proveAll(of: DesignProject, body: Record<string, unknown> = {}) {
  const route = `/v1/projects/${of.projectId}/designs/prove`;
  const { status, body: proof } = await of.call('POST', route, body);
  expect(status, JSON.stringify(proof)).toBe(200);
  const client = await world.mcp('modern http', of.key);
  const { structuredContent } = await client.callTool({ name: 'prove_design', arguments: body });
  const versions = proof.versions.map(({ id, proofs, ...version }: LiveVersion) =>
    version.holds ? version : { ...version, id, proofs },
  );
  expect(structuredContent).toStrictEqual({ ...proof, versions });
  const all: LiveVersion[] = proof.versions;
  return {
    holds: proof.holds,
    broken: all.filter(({ holds }) => !holds),
    holding: all.flatMap(({ holds, kind, name }) => (holds ? [`${kind} ${name}`] : [])),
    ...(proof.leftOut && { leftOut: Number(proof.leftOut) }),
    bytes: Buffer.byteLength(JSON.stringify(proof)),
  };
}

interface LiveVersion extends ShownVersion {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly reachedBy?: string[];
}

test('proves every live flow and conversation of a project with one call', async () => {
  const whole = await openDesignProject(world);
  const make = async (route: string, body: unknown) => {
    const answer = await whole.call('POST', `/v1/projects/${whole.projectId}/${route}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  const held = await make('conversations', { name: 'Held' });
  // A draft that breaks the property is not live.
  created(await whole.write(held, careless));
  const careful = { greeting: disclosing, questions: [{ key: 'phone', prompt: 'Your number?' }] };
  await make('flows', { name: 'Careful', flowSchema: careful });
  const flowId = await make('flows', { name: 'Urgent desk', flowSchema: { ...careful, greeting: 'Hello.' } });
  await make('phone-numbers', { name: 'Urgent', number: '+12025550143', type: 'partner', flowId });
  await make('conversations', { name: 'Plain', kind: 'simple' });
  const imported = await make('conversations', { name: 'Imported' });
  await world.rows('update conversation_versions set design = $2 where conversation_id = $1', [
    imported,
    JSON.stringify(careless),
  ]);
  const { holds, broken, holding, leftOut } = await proveAll(whole);
  expect({ holds, holding, leftOut }).toStrictEqual({
    holds: false,
    holding: ['flow Careful', 'conversation Held'],
    leftOut: undefined,
  });
  const message = expect.stringMatching(
    /^\/greeting: This line does not say clearly .* It asks: "Your number\?"$/,
  );
  expect(broken).toMatchObject([
    {
      kind: 'flow',
      id: flowId,
      name: 'Urgent desk',
      version: 1,
      isActive: true,
      reachedBy: ['+12025550143 (Urgent)'],
      proofs: [
        { property: { property: 'disclosedBeforeCollecting' }, message },
        { property: { property: 'disclosedFirst' }, message },
      ],
    },
    {
      kind: 'conversation',
      id: imported,
      name: 'Imported',
      version: 1,
      isActive: true,
      reachedBy: [],
      proofs: [
        { property: { property: 'asksOnce' }, holds: false, call: { length: 3 } },
        { property: { property: 'disclosedBeforeCollecting' } },
        { property: { property: 'disclosedFirst' } },
      ],
    },
  ]);
  const ends = await proveAll(whole, { properties: [{ property: 'everyPathEnds' }] });
  expect(ends).toMatchObject({ holds: true, broken: [] });
  expect((await proveAll(await openDesignProject(world))).broken).toStrictEqual([]);
});

test('proves at most 100 versions of a project at once, and says how many are left out', async () => {
  const whole = await openDesignProject(world);
  await world.rows(
    `insert into flows (project_id, id, name, type, newest_version)
     select $1, 'cfl' || lpad(n::text, 26, '0'), 'Flow ' || n, 'simple', 1 from generate_series(1, 130) n`,
    [whole.projectId],
  );
  await world.rows(
    `insert into flow_versions (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
     select $1, 'cfv' || lpad(n::text, 26, '0'), 'cfl' || lpad(n::text, 26, '0'), 1, 'v1',
       json_build_object('greeting', case when n > 90 then 'Hello.' else 'Hello, I am an AI.' end), 60, true
     from generate_series(1, 130) n`,
    [whole.projectId],
  );
  const { holds, broken, holding, leftOut } = await proveAll(whole);
  expect(holds).toBe(false);
  expect([broken.length, holding.length, leftOut]).toStrictEqual([30, 60, 40]);
  await world.rows(`update flows set name = repeat('語', 190) || name where project_id = $1`, [
    whole.projectId,
  ]);
  const long = await proveAll(whole);
  expect(long.bytes).toBeLessThan(40_000);
  expect(long.broken).toHaveLength(30);
  expect(long.holding.length + Number(long.leftOut)).toBe(100);
});

test('refuses a version and names of one design for a whole project', async () => {
  const client = await world.mcp('modern http', project.key);
  const refusal = async (input: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name: 'prove_design', arguments: input });
    expect(isError).toBe(true);
    return JSON.parse(content[0]?.text ?? '').error.message as string;
  };
  expect(await refusal({ version: 1 })).toBe('/version: Can be combined with conversationId or flowId only.');
  const named = { property: 'alwaysBefore', always: { kind: 'greeting' }, before: { step: 'menu' } };
  expect(await refusal({ properties: [named] })).toBe(
    '/properties/0/before: Names a part of one design: give its conversationId.',
  );
});
