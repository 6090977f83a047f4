import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disclosedDesign, undisclosing } from '../designs/disclosed.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { placesAt, pointerOf, valueAt } from './places.ts';
import { problemsOf } from './problems-of.ts';

/** An untyped design, because tests break it on purpose. */
type Untyped = ReturnType<typeof JSON.parse>;

let world: World;
let project: DesignProject;
let conversationId: string;
const originals = new Map<string, Untyped>();

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  for (const name of ['clinic', 'hotel-group', 'shop-order-status'])
    originals.set(name, await disclosedDesign(world, project, name));
});
afterAll(() => world.close());

let clinic: Untyped;
let hotel: Untyped;
let shop: Untyped;
beforeEach(() => {
  const copies = ['clinic', 'hotel-group', 'shop-order-status'];
  [clinic, hotel, shop] = copies.map((name) => structuredClone(originals.get(name)));
});

const found = (design: Untyped) => problemsOf(project, conversationId, design);

describe('a route option', () => {
  test.each<[what: string, option: object]>([
    ['title and description', { title: 'Other', description: 'Something else.' }],
    ['a target', { target: 'goodbye' }],
    ['all three', { title: 'Other', description: 'Something else.', target: 'goodbye' }],
    ['empty title and description', { title: '', description: '' }],
  ])('is accepted with %s', async (_, right) => {
    const [stepId, last] = firstRoute(shop);
    shop.steps[stepId].options.push(withExit({ id: 'other', ...right }, last));
    expect(await found(shop)).toEqual([]);
  });

  test.each<[what: string, option: object]>([
    ['a title alone', { title: 'Other' }],
    ['a description alone', { description: 'Something else.' }],
    ['a title and a target', { title: 'Other', target: 'x' }],
    ['a description and a target', { description: 'Something else.', target: 'x' }],
    ['nothing', {}],
  ])('is refused with %s', async (_, wrong) => {
    const [stepId, last] = firstRoute(shop);
    shop.steps[stepId].options.push(withExit({ id: 'other', ...wrong }, last));
    const index = shop.steps[stepId].options.length - 1;
    expect(await found(shop)).toEqual([`invalid_route_option /steps/${stepId}/options/${index}`]);
  });

  /** The first route with a fallback, and a step that it leads to. */
  function firstRoute({ steps }: Untyped): [stepId: string, target: string] {
    for (const [stepId, step] of Object.entries<Untyped>(steps))
      if (step.kind === 'route' && step.on?.fallback) return [stepId, step.on.fallback];
    throw new Error('no route with a fallback');
  }

  function withExit(option: Record<string, unknown>, stepId: string) {
    return 'target' in option ? { ...option, target: stepId } : option;
  }
});

describe('a layout entry', () => {
  test.each(['nobody', 'constructor', 'toString'])('is refused for the unknown step %s', async (stepId) => {
    clinic.layout = { ...clinic.layout, [stepId]: { x: 1, y: 2 } };
    expect(await found(clinic)).toEqual([`invalid_layout_ref /layout/${stepId}`]);
  });

  test('is accepted for every step, and may be absent', async () => {
    clinic.layout = Object.fromEntries(
      Object.keys(clinic.steps).map((stepId) => [stepId, { x: -1.5, y: 0 }]),
    );
    expect(await found(clinic)).toEqual([]);
    clinic.layout = {};
    expect(await found(clinic)).toEqual([]);
    delete clinic.layout;
    expect(await found(clinic)).toEqual([]);
  });
});

test('refuses an integration entry whose kind differs from the integration, for all kinds', async () => {
  const kinds = ['crm', 'calendar', 'knowledge'];
  for (const [index, entry] of hotel.integrations.entries())
    for (const kind of kinds) {
      const damaged = structuredClone(hotel);
      damaged.integrations[index].kind = kind;
      // A CRM block requires an entry of kind crm, which would be another problem.
      damaged.hooks = undefined;
      const path = `/integrations/${index}/kind`;
      const warnings = ['warning /steps/en:style'];
      expect(await found(damaged)).toEqual(
        kind === entry.kind ? warnings : [`integration_kind_mismatch ${path}`, ...warnings],
      );
    }
});

test('refuses a CRM block that refers to an entry of another kind', async () => {
  clinic.integrations[0].id = 'other';
  const calendar = clinic.integrations.findIndex(({ kind }: Untyped) => kind === 'calendar');
  const blocks = placesAt(clinic, '/hooks/*/nodes/*/*/integrationRef');
  for (const place of blocks)
    valueAt(clinic, place.slice(0, -1)).integrationRef = clinic.integrations[calendar].id;
  expect(blocks.length).toBeGreaterThan(0);
  expect(await found(clinic)).toEqual(blocks.map((place) => `design_invalid ${pointerOf(place)}`));
});

describe('a line that must disclose the AI', () => {
  test.each(['/steps/*/introLine', '/steps/*/line'])('is refused at %s unless it does', async (pattern) => {
    const lines = placesAt(clinic, pattern).filter(([, stepId]) =>
      ['greeting', 'recordingConsent'].includes(clinic.steps[stepId ?? ''].kind),
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const place of lines) {
      const damaged = structuredClone(clinic);
      valueAt(damaged, place.slice(0, -1))[place.at(-1) ?? ''] = undisclosing;
      expect(await found(damaged)).toEqual([`ai_disclosure_required ${pointerOf(place)}`]);
    }
  });

  test('is required in no other step', async () => {
    for (const step of Object.values<Untyped>(shop.steps)) {
      if ('text' in step) step.text = undisclosing;
      if (step.kind === 'end' || step.kind === 'transfer') step.line = undisclosing;
    }
    expect(await found(shop)).toEqual([]);
  });
});

test('refuses a design with more steps than the plan allows, and accepts one at the limit', async () => {
  const free = await openDesignProject(world, { plan: 'free' });
  const id = await free.newConversation();
  const steps = (count: number) => {
    const ends = Array.from({ length: count - 1 }, (_, index) => [`end-${index}`, { kind: 'end' }]);
    const hello = { kind: 'route', options: ends.map(([stepId]) => ({ id: stepId, target: stepId })) };
    return {
      schemaVersion: 'cd/1',
      entry: { stepId: 'hello' },
      steps: Object.fromEntries([['hello', hello], ...ends]),
    };
  };
  expect(await free.problems(id, steps(20))).toEqual([]);
  expect((await free.write(id, steps(20))).status).toBe(201);
  const problems = await free.problems(id, steps(21));
  expect(problems).toMatchObject([{ code: 'plan_limit_exceeded', path: '/steps', stepId: '' }]);
  const { details } = refused(await free.write(id, steps(21)), 422, 'plan_limit_exceeded');
  expect(details).toStrictEqual({ resource: 'steps', limit: 20, current: 21, plan: 'free' });
});
