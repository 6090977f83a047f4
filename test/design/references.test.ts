import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { designNames } from '../designs/real-designs.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { type Place, placesAt, pointerOf, someItems, stepIdOf, valueAt, withValueAt } from './places.ts';

let world: World;
let project: DesignProject;
let conversationId: string;
const designs = new Map<string, Design>();
/** The designs that the tests break. The two longest are left out, because they are slow and add nothing. */
const damaged = new Map<string, Design>();

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  for (const name of designNames) designs.set(name, await disclosedDesign(world, project, name));
  for (const [name, design] of designs)
    if (name !== 'limit' && name !== 'large-insurance') damaged.set(name, design);
});
afterAll(() => world.close());

const targets = [
  '/hooks/*/nodes/*/next',
  '/hooks/*/nodes/*/condition/branches/*/next',
  '/hooks/*/nodes/*/condition/else',
  '/hooks/*/nodes/*/crmLookup/onNotFound',
];

/** Every place of the format with a reference, by the kind of its target, with the error code of an unknown target. */
const references = [
  {
    what: 'a step',
    code: 'invalid_transition',
    patterns: [
      '/entry/stepId',
      '/entry/alternates/*',
      '/steps/*/on/*',
      '/steps/*/options/*/target',
      ...targets.map((target) => `${target}/step`),
    ],
  },
  {
    what: 'a hook node',
    code: 'design_invalid',
    patterns: [
      '/hooks/before/rootNodeId',
      '/hooks/after/prematureHangupNodeId',
      '/hooks/*/entryPoints/*',
      ...targets.map((target) => `${target}/hookNode`),
    ],
  },
  {
    what: 'a variable',
    code: 'design_invalid',
    patterns: [
      '/steps/*/collect/*/variableId',
      '/hooks/*/nodes/*/webhook/payload/*/variableId',
      '/hooks/*/nodes/*/webhook/responseVariableId',
      '/hooks/*/nodes/*/fetch/body/*/variableId',
      '/hooks/*/nodes/*/fetch/responseMappings/*/variableId',
      '/hooks/*/nodes/*/condition/branches/*/predicate/variable/variableId',
      '/hooks/*/nodes/*/setVariable/variableId',
      '/hooks/*/nodes/*/sendSms/to/variableId',
      '/hooks/*/nodes/*/crmLookup/phoneSource/variableId',
      '/hooks/*/nodes/*/crmLookup/emailSource/variableId',
      '/hooks/*/nodes/*/crmLookup/fieldMappings/*/variableId',
      '/hooks/*/nodes/*/crmWrite/contactIdSource/variableId',
      '/hooks/*/nodes/*/crmWrite/updateContact/propertyMappings/*/variableId',
    ],
  },
  { what: 'knowledge', code: 'design_invalid', patterns: ['/steps/*/knowledgeIds/*'] },
  {
    what: 'an integration entry',
    code: 'design_invalid',
    patterns: ['/hooks/*/nodes/*/crmLookup/integrationRef', '/hooks/*/nodes/*/crmWrite/integrationRef'],
  },
  {
    what: 'an integration',
    code: 'unknown_integration_ref',
    patterns: ['/integrations/*/integrationId'],
  },
  { what: 'a knowledge base', code: 'not_found', patterns: ['/knowledge/*/knowledgeBaseId'] },
] as const;

const placesOf = (design: Design, patterns: readonly string[]): Place[] =>
  patterns.flatMap((pattern) => placesAt(design, pattern));

const nowhere = '?';

async function errorsOf(design: Design): Promise<{ code: string; path: string; stepId: string }[]> {
  const problems = await project.problems(conversationId, design);
  for (const { hint, message } of problems) expect({ hint, message }).toEqual(anyWords);
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path, stepId }) => ({ code, path, stepId }));
}

const anyWords = { hint: expect.stringMatching(/\S{2}/), message: expect.stringMatching(/\S{2}/) };

test('uses real designs that have a reference at every place of the format', () => {
  const unused = references
    .flatMap(({ patterns }) => patterns)
    .filter((pattern) => ![...damaged.values()].some((design) => placesAt(design, pattern).length > 0));
  expect(unused).toEqual([]);
});

test('stores the real designs without errors and returns them unchanged', async () => {
  for (const [name, design] of designs) {
    expect(await errorsOf(design), name).toEqual([]);
    const { status, body } = await project.write(conversationId, design);
    expect(status, `${name} ${JSON.stringify(body.error)}`).toBe(201);
  }
});

test.each(references)(
  'reports one wrong reference to $what as one problem, at its place',
  async ({ code, patterns }) => {
    let tried = 0;
    for (const design of damaged.values())
      for (const place of someItems(placesOf(design, patterns), 3)) {
        const wrong = withValueAt(design, place, nowhere);
        expect(await errorsOf(wrong)).toEqual([{ code, path: pointerOf(place), stepId: stepIdOf(place) }]);
        tried++;
      }
    expect(tried).toBeGreaterThanOrEqual(patterns.length);
  },
);

test.each(references)('reports all wrong references to $what at once', async ({ code, patterns }) => {
  for (const [name, design] of damaged) {
    const places = placesOf(design, patterns);
    if (places.length === 0) continue;
    const wrong = structuredClone(design);
    for (const place of places) valueAt(wrong, place.slice(0, -1))[place.at(-1) ?? ''] = nowhere;
    const errors = await errorsOf(wrong);
    const paths = errors.filter((error) => error.code === code).map(({ path }) => path);
    expect(paths.toSorted(), name).toEqual(places.map(pointerOf).toSorted());
    refused(await project.write(conversationId, wrong), code === 'not_found' ? 404 : 422, code);
  }
});

test('looks up the conversation of a transfer, but not a number or a SIP address', async () => {
  const design = designs.get('bank-hotline');
  if (!design) throw new Error('there is no bank-hotline');
  for (const place of placesAt(design, '/steps/*/destination/value')) {
    const { kind } = valueAt(design, place.slice(0, -1));
    const expected = [{ code: 'not_found', path: pointerOf(place), stepId: stepIdOf(place) }];
    const errors = await errorsOf(withValueAt(design, place, nowhere));
    expect(errors, kind).toEqual(kind === 'conversation' ? expected : []);
  }
});
