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
