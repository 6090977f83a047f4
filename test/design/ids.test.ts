import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disclosedDesign } from '../designs/disclosed.ts';
import { designNames } from '../designs/real-designs.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { placesAt, pointerOf, stepIdOf, valueAt } from './places.ts';
import { problemsOf } from './problems-of.ts';

/** An untyped design, because tests break it on purpose. */
type Untyped = ReturnType<typeof JSON.parse>;

let world: World;
let project: DesignProject;
let conversationId: string;
const designs = new Map<string, Untyped>();

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  for (const name of designNames.filter((name) => !['limit', 'large-insurance'].includes(name)))
    designs.set(name, await disclosedDesign(world, project, name));
});
afterAll(() => world.close());

test.each([
  '/knowledge',
  '/variables',
  '/integrations',
  '/steps/*/options',
  '/steps/*/collect',
  '/hooks/*/nodes/*/webhook/payload',
  '/hooks/*/nodes/*/fetch/body',
  '/hooks/*/nodes/*/fetch/responseMappings',
  '/hooks/*/nodes/*/condition/branches',
  '/hooks/*/nodes/*/crmLookup/fieldMappings',
  '/hooks/*/nodes/*/crmWrite/updateContact/propertyMappings',
])('reports a duplicate id in %s at the second item', async (pattern) => {
  let tried = 0;
  for (const design of designs.values())
    for (const place of placesAt(design, pattern).slice(0, 1)) {
      const damaged = structuredClone(design);
      const list = valueAt(damaged, place);
      if (list.length === 0 || tried === 5) continue;
      list.push(structuredClone(list[0]));
      const at = [...place, list.length - 1, 'id'];
      const problems = await project.problems(conversationId, damaged);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors).toEqual([
        expect.objectContaining({ code: 'design_invalid', path: pointerOf(at), stepId: stepIdOf(at) }),
      ]);
      refused(await project.write(conversationId, damaged), 422, 'design_invalid');
      tried++;
    }
  expect(tried).toBeGreaterThan(0);
});

test('accepts the same id in several lists', async () => {
  const design = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'a' },
    steps: {
      a: { kind: 'collect', prompt: '', collect: [{ id: 'a', variableId: 'a' }], on: { next: 'b' } },
      b: { kind: 'route', options: [{ id: 'a', target: 'c' }] },
      c: { kind: 'route', options: [{ id: 'a', target: 'a' }] },
    },
    variables: [{ id: 'a', type: 'text' }],
    hooks: { before: { nodes: { a: { id: 'a' } } }, after: { nodes: { a: { id: 'a' } } } },
  };
  expect(await problemsOf(project, conversationId, design)).toEqual(['warning /steps/a']);
});

/** The names that HTTP allows for a header (RFC 9110, 5.6.2), of those below. */
const isHeaderName = (id: string) => /^\w+$/.test(id);

/** A design in which all ids that its author chooses are equal. It collects before it discloses the AI. */
const named = (id: string) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: id, alternates: [id] },
  steps: {
    [id]: { kind: 'route', options: [{ id, target: id }], on: { fallback: 'ask' } },
    ask: { kind: 'collect', prompt: '', collect: [{ id, variableId: id }], on: { next: id } },
  },
  variables: [{ id, type: 'text' }],
  hooks: {
    before: {
      rootNodeId: id,
      entryPoints: { [id]: id },
      nodes: {
        [id]: {
          id,
          next: { step: id },
          webhook: {
            url: '',
            headers: { [isHeaderName(id) ? id : 'x-name']: '' },
            payload: [{ id, key: id, source: 'variable', variableId: id }],
          },
        },
      },
    },
  },
  layout: { [id]: { x: 0, y: 0 } },
});

describe('an id chosen by the author of a design', () => {
  const names = [
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'prototype',
    'length',
    '0',
    ' ',
    'a/b~c',
    '🙂',
  ];

  test.each(names)('may be %j for a step, node, variable, header or entry point', async (id) => {
    const design = named(id);
    expect(await problemsOf(project, conversationId, design)).toEqual(['warning /steps/ask']);
    // problemsOf writes another version after it.
    const [, { n } = { n: 0 }] = await project.versions(conversationId);
    const { body } = await project.read(conversationId, n);
    expect(JSON.stringify(body)).toBe(JSON.stringify(design));
    const { body: chosen } = await project.read(conversationId, n, `?steps=${encodeURIComponent(id)}`);
    // Compared as text, because toStrictEqual takes a member called constructor for the type of the object.
    expect(JSON.stringify(chosen)).toBe(JSON.stringify({ version: n, steps: { [id]: design.steps[id] } }));
    const { body: outline } = await project.read(conversationId, n, '?outline=true');
    const [first] = outline.steps;
    expect(first).toMatchObject({ id, kind: 'route' });
    expect(Object.entries(first.exits)).toEqual(Object.entries({ [id]: id, fallback: 'ask' }));
  });

  test.each(names)('is checked like any other if it is %j', async (id) => {
    const design: Untyped = named(id);
    design.steps[id].surplus = 1;
    design.hooks.before.nodes[id].webhook.headers[id] = 1;
    design.hooks.before.nodes[id].next = { hookNode: 1 };
    design.layout[id] = { x: 0 };
    design.compliance = { aiDisclosure: { [id]: { status: 'approved' } } };
    const { details } = refused(await project.write(conversationId, design), 400, 'invalid_request');
    const node = ['hooks', 'before', 'nodes', id];
    expect(details.issues.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      [
        ['steps', id, 'surplus'],
        [...node, 'webhook', 'headers', id],
        [...node, 'next', 'hookNode'],
        ['layout', id, 'y'],
        ['compliance', 'aiDisclosure', id, 'checkedText'],
      ]
        .map((place) => `/design${pointerOf(place)}`)
        .toSorted(),
    );
  });

  test.each(names.slice(0, 5))('does not resolve if it is %j and the design has no such part', async (id) => {
    const design: Untyped = named('a');
    design.steps.a.on.fallback = id;
    design.steps.ask.collect[0].variableId = id;
    design.hooks.before.rootNodeId = id;
    design.hooks.before.nodes.a.next = { hookNode: id };
    design.hooks.before.nodes.a.crmLookup = { integrationRef: id, matchBy: [], fieldMappings: [] };
    design.steps.b = { kind: 'answer', instruction: '', knowledgeIds: [id], on: { next: 'a' } };
    design.entry.alternates = ['b', 'ask'];
    expect(await problemsOf(project, conversationId, design)).toEqual([
      'invalid_transition /steps/a/on/fallback',
      'design_invalid /hooks/before/nodes/a/next/hookNode',
      'design_invalid /hooks/before/rootNodeId',
      'design_invalid /steps/ask/collect/0/variableId',
      'design_invalid /steps/b/knowledgeIds/0',
      'design_invalid /hooks/before/nodes/a/crmLookup/integrationRef',
      'warning /steps/b',
    ]);
  });

  test.each([
    '/steps',
    '/layout',
    '/compliance/aiDisclosure',
    '/hooks/*/nodes',
    '/hooks/*/entryPoints',
    '/hooks/*/nodes/*/webhook/headers',
    '/hooks/*/nodes/*/fetch/headers',
    '/hooks/*/nodes/*/fetch/query',
    '',
  ])('is refused if it is __proto__, at %j', async (pattern) => {
    const place = [...designs.values()].flatMap((design) =>
      placesAt(design, pattern).map((at) => ({ design, at })),
    )[0];
    if (!place) throw new Error(`no real design has ${pattern}`);
    const damaged = structuredClone(place.design);
    Object.defineProperty(valueAt(damaged, place.at), '__proto__', {
      value: { kind: 'end' },
      enumerable: true,
    });
    const answers = [
      await project.write(conversationId, damaged),
      await project.validate(conversationId, damaged),
      await project.create({ design: damaged }),
    ];
    for (const [index, answer] of answers.entries()) {
      const { details } = refused(answer, 400, 'invalid_request');
      expect(details.issues, String(index)).toEqual([
        { in: 'body', path: `/design${pointerOf(place.at)}`, message: 'Has a member called __proto__.' },
      ]);
    }
  });
});
