import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disclosedDesign } from '../designs/disclosed.ts';
import { type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { placesAt, pointerOf, valueAt } from './places.ts';
import { problemsOf } from './problems-of.ts';

/** An untyped design, because tests break it on purpose. */
type Untyped = ReturnType<typeof JSON.parse>;

let world: World;
let project: DesignProject;
let conversationId: string;
let original: Untyped;
let leads: Untyped;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  original = await disclosedDesign(world, project, 'lead-qualification');
});
beforeEach(() => {
  leads = structuredClone(original);
});
afterAll(() => world.close());

const found = (design: Untyped) => problemsOf(project, conversationId, design);

describe('a target', () => {
  const node = (next: object) => ({ ...leads, hooks: hooksWith({ id: 'first', next }) });
  const hooksWith = (first: object) => ({
    before: { rootNodeId: 'first', nodes: { first, last: { id: 'last', next: { end: true } } } },
    after: { nodes: {} },
  });
  const path = '/hooks/before/nodes/first/next';

  test.each<object>([
    { hookNode: 'last' },
    { step: 'STEP' },
    { end: true },
    { hookNode: 'last', end: false },
    { step: 'STEP', end: false },
  ])('with one member set is right: %j', async (next) => {
    expect(await found(node(named(next)))).toEqual([]);
  });

  test.each<object>([
    { hookNode: 'last', step: 'STEP' },
    { hookNode: 'last', end: true },
    { step: 'STEP', end: true },
    { hookNode: 'last', step: 'STEP', end: true },
    { hookNode: 'last', step: 'STEP', end: false },
  ])('with more members set is refused: %j', async (next) => {
    expect(await found(node(named(next)))).toEqual([`design_invalid ${path}`]);
  });

  test.each([{}, { end: false }])('is accepted with a warning if it is empty: %j', async (next) => {
    expect(await found(node(next))).toEqual([`warning ${path}`]);
  });

  /** Replaces STEP with the id of the first step. */
  function named(next: object): object {
    return JSON.parse(JSON.stringify(next).replace('STEP', leads.entry.stepId));
  }
});

test('refuses a node whose id differs from its key', async () => {
  const [place = []] = placesAt(leads, '/hooks/*/nodes/*/id');
  valueAt(leads, place.slice(0, -1)).id = 'another';
  expect(await found(leads)).toEqual([`design_invalid ${pointerOf(place)}`]);
});

describe('cycles of hook nodes', () => {
  const hooks = (nodes: Record<string, object>) => {
    const named = Object.entries(nodes).map(([id, node]) => [id, { id, ...node }]);
    return { ...leads, hooks: { after: { nodes: Object.fromEntries(named) } } };
  };
  const variable = { systemVariable: 'callerPhone' };
  const condition = (next: object, otherwise: object) => ({
    condition: {
      mode: 'logic',
      branches: [{ id: 'b', label: 'B', predicate: { variable, operator: 'exists' }, next }],
      else: otherwise,
    },
  });
  const to = (hookNode: string) => ({ hookNode });
  const refusedAt = (id: string) => [`design_invalid /hooks/after/nodes/${id}`];

  test.each<[what: string, nodes: Record<string, object>, expected: string[]]>([
    ['a node that leads to itself', { a: { next: to('a') } }, refusedAt('a')],
    ['two nodes that lead to each other', { a: { next: to('b') }, b: { next: to('a') } }, refusedAt('a')],
    [
      'a condition with both ways into the cycle',
      { a: condition(to('a'), to('b')), b: { next: to('a') } },
      refusedAt('a'),
    ],
    ['a node that leads into a cycle', { in: { next: to('a') }, a: { next: to('a') } }, refusedAt('in')],
    ['a cycle with a branch that ends', { a: condition({ end: true }, to('b')), b: { next: to('a') } }, []],
    ['a cycle with an else that leads to a step', { a: condition(to('a'), { step: 'STEP' }) }, []],
    ['a node without next', { a: { next: to('b') }, b: {} }, []],
    [
      'two paths that meet without a cycle',
      { a: condition(to('b'), to('c')), b: { next: to('c') }, c: {} },
      [],
    ],
    [
      'nodes called like members of a prototype',
      { constructor: { next: to('toString') }, toString: { next: { end: true } } },
      [],
    ],
  ])('%s', async (_, nodes, expected) => {
    const design = JSON.parse(JSON.stringify(hooks(nodes)).replaceAll('STEP', leads.entry.stepId));
    expect(await found(design)).toEqual(expected);
  });

  test('are reported for each hook', async () => {
    const nodes = { a: { id: 'a', next: to('a') } };
    expect(await found({ ...leads, hooks: { before: { nodes }, after: { nodes } } })).toEqual([
      'design_invalid /hooks/before/nodes/a',
      'design_invalid /hooks/after/nodes/a',
    ]);
  });
});
