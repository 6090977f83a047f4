import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkNames } from '../../src/design/checks/names.ts';
import { blockExamples, stepExamples } from '../../src/design/examples.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const variables = [
  { id: 'callerName', type: 'text' },
  { id: 'order', type: 'object' },
];

/** A design that says a text, with the hook nodes given. */
const saying = (line: string, hooks: object = {}) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: {
      kind: 'greeting',
      introLine: 'Hello, I am the AI assistant of the clinic.',
      on: { next: 'bye' },
    },
    bye: { kind: 'end', line },
    far: { kind: 'end', line: 'Nobody hears {{nobody}}.' },
  },
  variables,
  hooks,
});
const node = (phase: 'before' | 'after', blocks: object) => ({
  [phase]: { nodes: { x: { id: 'x', ...blocks } } },
});
const condition = (systemVariable: string) => ({
  condition: {
    mode: 'logic',
    branches: [
      {
        id: 'b',
        label: 'B',
        predicate: { variable: { systemVariable }, operator: 'exists' },
        next: { end: true },
      },
    ],
    else: { end: true },
  },
});
const sms = (to: object, message: string) => ({ sendSms: { to, message }, next: { end: true } });
const payload = (item: object) => ({
  webhook: { url: 'https://example.com', payload: [{ id: 'p', key: 'k', source: 'variable', ...item }] },
});

/** The warnings about names, without those of the step that no call reaches. */
async function warningsOf(design: object): Promise<{ path: string; message: string; hint: string }[]> {
  const problems = await project.problems(await project.newConversation(), design);
  return problems.filter(({ path }) => !path.startsWith('/steps/far'));
}

test.each([
  'Bye, {{callerName}}.',
  'Bye, {{ callerName }}.',
  'Your order is {{order.status}}.',
  'We call {{callerPhone}} back.',
  'We call {{system.callerPhone}} back.',
  'No braces {here} or {{}.',
])('accepts %j', async (line) => {
  expect(await warningsOf(saying(line))).toEqual([]);
});

test.each([
  ['{{callername}}', 'Did you mean "callerName"?'],
  ['{{caller.number}}', 'Did you mean "callerPhone"?'],
  ['{{from_number}}', 'Did you mean "callerPhone"?'],
  ['{{callerPhon}}', 'Did you mean "callerPhone"?'],
  ['{{callerName.first}}', 'Did you mean'],
  ['{{system.callerName}}', 'Did you mean'],
  ['{{}}', 'The variables of this design: "callerName", "order".'],
  ['{{weather}}', 'describe_design {"kind": "variables"}'],
])('warns about %s', async (placeholder, hint) => {
  const [found, ...more] = await warningsOf(saying(`Bye, ${placeholder}.`));
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    path: '/steps/bye/line',
    message: `The placeholder ${JSON.stringify(placeholder)} names no variable, so nothing is filled in.`,
    hint: expect.stringContaining(hint),
  });
});

test('warns about an unknown system variable, wherever a hook names one', async () => {
  const places = [
    [payload({ systemVariable: 'caller.number' }), 'webhook/payload/0/systemVariable'],
    [condition('callerNumber'), 'condition/branches/0/predicate/variable/systemVariable'],
    [sms({ systemVariable: 'caller_id' }, 'Hi'), 'sendSms/to/systemVariable'],
  ] as const;
  for (const [blocks, place] of places)
    expect(await warningsOf(saying('Bye.', node('before', blocks)))).toMatchObject([
      {
        path: `/hooks/before/nodes/x/${place}`,
        hint: expect.stringContaining('Did you mean "callerPhone"?'),
      },
    ]);
});

test('warns about a secret where none is filled in', async () => {
  expect(await warningsOf(saying('{{secret.TOKEN}}'))).toMatchObject([
    { path: '/steps/bye/line', message: 'The secret "secret.TOKEN" is not filled in here.' },
  ]);
});

test('finds nothing in the real designs, the templates and the examples', () => {
  const examples = Object.values(blockExamples).map((block) => ({
    ...starterDesign,
    steps: stepExamples,
    variables: ['callerName', 'preferredDay'].map((id) => ({ id, type: 'text' as const })),
    hooks: { before: { nodes: { [block.id]: block } } },
  }));
  const designs = [...designNames.map(rawDesign), ...templates.map(({ design }) => design), ...examples];
  expect(designs.length).toBeGreaterThan(20);
  for (const design of designs) expect([...checkNames(design)]).toEqual([]);
});

test('describe_design lists every system variable, each of which is accepted', async () => {
  const { body } = await project.call('GET', '/v1/designs/schema?kind=variables');
  const names = body.schema['x-systemVariables'].map(({ name }: { name: string }) => name);
  expect(names).toContain('callerPhone');
  expect(names).toHaveLength(14);
  for (const name of names)
    expect(await warningsOf(saying(`{{${name}}}`, node('after', payload({ systemVariable: name }))))).toEqual(
      [],
    );
});

describe('activating a version', () => {
  test.each<[what: string, design: object, path: string]>([
    ['says an unknown placeholder', saying('Bye, {{name}}.'), '/steps/bye/line'],
    ['says a secret', saying('{{secret.TOKEN}}'), '/steps/bye/line'],
    [
      'texts the caller an unknown placeholder',
      saying('Bye.', node('after', sms({ systemVariable: 'callerPhone' }, 'Hi {{name}}'))),
      '/hooks/after/nodes/x/sendSms/message',
    ],
    [
      'texts an unknown system variable',
      saying('Bye.', node('after', sms({ systemVariable: 'caller' }, 'Hi'))),
      '/hooks/after/nodes/x/sendSms/to/systemVariable',
    ],
    [
      'decides by an unknown system variable before the call',
      saying('Bye.', node('before', condition('caller'))),
      '/hooks/before/nodes/x/condition/branches/0/predicate/variable/systemVariable',
    ],
  ])('is refused if it %s, and so is a conversation that starts with it', async (_, design, path) => {
    const conversationId = await project.newConversation();
    created(await project.write(conversationId, design));
    for (const answer of [await project.activate(conversationId, 2), await project.create({ design })]) {
      const { details } = refused(answer, 422, 'design_invalid');
      expect(details.issues).toMatchObject([{ message: expect.stringContaining(`${path}: `) }]);
    }
  });

  test('works with names that no caller notices', async () => {
    for (const hooks of [
      node('after', payload({ systemVariable: 'weather' })),
      node('after', condition('weather')),
      node('after', sms({ literalString: '+12025550143' }, 'From {{weather}}')),
    ]) {
      const conversationId = await project.newConversation();
      created(await project.write(conversationId, saying('Bye.', hooks)));
      expect((await project.activate(conversationId, 2)).status).toBe(200);
    }
  });

  describe('whose option lost its target', () => {
    const option = { id: 'bills', title: 'Bills', description: 'Asks about a bill.' };
    const routing = (options: object[], on?: object) => {
      const { steps, ...frame } = saying('Bye.');
      const menu = { kind: 'route', options, ...(on && { on }) };
      return { ...frame, steps: { ...steps, hello: { ...steps.hello, on: { next: 'menu' } }, menu } };
    };
    const other = { id: 'other', target: 'bye' };

    test('is refused, unless it is a way back or the option is gone', async () => {
      const conversationId = await project.newConversation();
      const versions = [
        routing([option, other]),
        routing([{ ...option, target: 'bye' }, other]),
        routing([option, other]),
        routing([other]),
        routing([option, other], { fallback: 'bye' }),
      ];
      for (const design of versions) created(await project.write(conversationId, design));
      const activate = async (n: number) => project.activate(conversationId, n);
      // Nothing was lost: the option never led anywhere.
      expect((await activate(2)).status).toBe(200);
      expect((await activate(3)).status).toBe(200);
      const { details } = refused(await activate(4), 422, 'design_invalid');
      expect(details.issues).toEqual([
        {
          stepId: 'menu',
          message:
            '/steps/menu/options/0: The option "bills" led to "bye" in the active version and leads nowhere now.',
        },
      ]);
      expect((await activate(5)).status).toBe(200);
      expect((await activate(6)).status).toBe(200);
      expect((await activate(3)).status).toBe(200);
      expect((await activate(2)).status).toBe(200);
    });
  });
});
