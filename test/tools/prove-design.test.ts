import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/id.ts';
import { disclosing } from '../designs/disclosed.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { created, type DesignProject, openDesignProject, refused } from './design-project.ts';

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
  readonly counterexample: { readonly id: string; readonly exit: string | null }[] | null;
}

const prove = (conversationId: string, body: unknown = {}) =>
  project.call('POST', `/v1/conversations/${conversationId}/designs/prove`, body);

test('proves the five default properties of the newest version, or returns the shortest counterexample', async () => {
  const conversationId = await project.newConversation();
  expect((await prove(conversationId)).body).toMatchObject({ version: 1, holds: true });
  created(await project.write(conversationId, careless));
  const { status, body } = await prove(conversationId);
  expect(status).toBe(200);
  expect(body).toMatchObject({ version: 2, holds: false });
  expect(
    body.proofs.map(({ property: { property }, holds, counterexample }: Shown) => [
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
  expect(body.proofs[4].message).toBe('Holds, because no call sends a transcript or a recording.');
});

test('proves the requested properties of the requested version', async () => {
  const conversationId = await project.newConversation();
  created(await project.write(conversationId, careless));
  const properties = [
    { property: 'alwaysBefore', always: { step: 'number' }, before: { kind: 'end' } },
    { property: 'neverAfter', never: { kind: 'collect' }, after: { kind: 'greeting' } },
    { property: 'asksOnce', variable: 'order' },
  ];
  const { body } = await prove(conversationId, { version: 2, properties });
  expect(body.proofs.map(({ holds }: Shown) => holds)).toStrictEqual([true, false, false]);
  expect(body.proofs.map(({ property }: Shown) => property)).toStrictEqual(properties);
  expect(body.proofs[1].counterexample).toStrictEqual([
    { at: 'step', id: 'number', exit: 'failed' },
    { at: 'step', id: 'help', exit: 'next' },
    { at: 'step', id: 'number', exit: null },
  ]);
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

/** What a whole project breaks, in the words of REST and of MCP, which must be the same. */
async function proveAll(of: DesignProject, body: Record<string, unknown> = {}) {
  const route = `/v1/projects/${of.projectId}/designs/prove`;
  const { status, body: proof } = await of.call('POST', route, body);
  expect(status, JSON.stringify(proof)).toBe(200);
  const client = await world.mcp('modern http', of.key);
  const { structuredContent } = await client.callTool({ name: 'prove_design', arguments: body });
  expect(structuredContent).toStrictEqual(proof);
  return proof as {
    holds: boolean;
    broken: { name: string; kind: string; version: number; reachedBy: string[]; why: string }[];
    holding: string[];
    leftOut?: number;
  };
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
  const { holds, broken, holding, ...more } = await proveAll(whole);
  expect({ holds, holding, more }).toStrictEqual({
    holds: false,
    holding: ['flow Careful', 'conversation Held'],
    more: {},
  });
  expect(broken).toStrictEqual([
    {
      kind: 'flow',
      id: flowId,
      name: 'Urgent desk',
      version: 1,
      reachedBy: ['+12025550143 (Urgent)'],
      why: expect.stringMatching(/^\/greeting: This line does not say clearly .* It asks: "Your number\?"$/),
    },
    {
      kind: 'conversation',
      id: imported,
      name: 'Imported',
      version: 1,
      reachedBy: [],
      why: expect.stringMatching(/^asksOnce: .* Such a call: number \(next\), menu \(again\), number\.$/),
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
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(40_000);
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
  expect(await refusal({ version: 1 })).toBe('/version: Can be combined with conversationId only.');
  const named = { property: 'alwaysBefore', always: { kind: 'greeting' }, before: { step: 'menu' } };
  expect(await refusal({ properties: [named] })).toBe(
    '/properties/0/before: Names a part of one design: give its conversationId.',
  );
});
