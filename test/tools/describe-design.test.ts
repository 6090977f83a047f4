import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { members } from '../design/format.ts';
import { placesAt, valueAt } from '../design/places.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import {
  type DesignProject,
  newIntegration,
  newKnowledgeBase,
  openDesignProject,
  refused,
} from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

/** From `decisions#step-kinds` and `service-api#conversation-design`, independently of the product. */
const steps = [
  'greeting',
  'recordingConsent',
  'message',
  'collect',
  'route',
  'answer',
  'appointment',
  'transfer',
  'end',
];
const blocks = [
  'webhook',
  'fetch',
  'condition',
  'setVariable',
  'sendSms',
  'crmLookup',
  'crmWrite',
  'calendar',
];
const kinds = ['frame', 'hooks', 'variables', ...steps, ...blocks];

let world: World;
let project: DesignProject;
const described = new Map<string, { schema: object; example: ReturnType<typeof JSON.parse> }>();
const checks = new Map<string, ValidateFunction>();
const right = (kind: string, value: unknown) => checks.get(kind)?.(value);

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  const ajv = new Ajv2020({ strict: false });
  for (const kind of kinds) {
    const { body } = await project.call('GET', `/v1/designs/schema?kind=${kind}`);
    described.set(kind, body);
    checks.set(kind, ajv.compile(body.schema));
  }
});
afterAll(() => world.close());

test.each(kinds)('describes %s, and lists all kinds', (kind) => {
  const [schema, example] = [expect.any(Object), expect.any(Object)];
  expect(described.get(kind)).toStrictEqual({ kind, schema, example, kinds: { steps, blocks } });
});

test('describes the frame without a kind, and refuses an unknown kind', async () => {
  const { body } = await project.call('GET', '/v1/designs/schema');
  expect(body).toStrictEqual(described.get('frame'));
  for (const kind of ['', 'game', 'constructor', 'Greeting', 'design'])
    refused(await project.call('GET', `/v1/designs/schema?kind=${kind}`), 400, 'invalid_request');
});

test('describes several kinds in short, with their examples, in half the tokens', async () => {
  const several = kinds.filter((kind) => kind !== 'variables');
  const { body } = await project.call('GET', `/v1/designs/schema?kinds=${several.join(',')}`);
  expect(Object.keys(body.forms)).toEqual(several);
  for (const kind of several) {
    const { form, example } = body.forms[kind];
    expect(example).toEqual(described.get(kind)?.example);
    expect(countTokens(form)).toBeLessThan(countTokens(JSON.stringify(described.get(kind)?.schema)) * 0.65);
    for (const name of Object.keys(membersOf(described.get(kind)?.schema))) expect(form).toContain(name);
  }
  const { body: two } = await project.call('GET', '/v1/designs/schema?kinds=collect,route');
  expect(countTokens(JSON.stringify(two))).toBeLessThan(550);
  expect(two.forms.route.form).toContain(
    'options: [{id: id, title?: text, description?: text, target?: id (A step id.)}]',
  );
  const client = await world.mcp('modern http', project.key);
  const { content } = await client.callTool({
    name: 'describe_design',
    arguments: { kinds: ['collect', 'route'] },
  });
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(two);
  const { body: variables } = await project.call('GET', '/v1/designs/schema?kinds=variables');
  expect(variables.forms.variables.form).toContain('callerPhone');
  for (const wrong of ['all', 'collect,game', ''])
    refused(await project.call('GET', `/v1/designs/schema?kinds=${wrong}`), 400, 'invalid_request');
});

const membersOf = (schema: object = {}) => (schema as { properties?: object }).properties ?? {};

describe('the schemas', () => {
  test.each(kinds)('of %s accept its example, and no other member', (kind) => {
    // The example of a block is a whole node, so that it shows where the block goes.
    const { example } = described.get(kind) ?? {};
    const part = blocks.includes(kind) ? example[kind] : example;
    expect(right(kind, part)).toBe(true);
    expect(right(kind, { ...part, surplus: 1 })).toBe(false);
  });

  test('accept every part of the real designs', () => {
    for (const name of designNames) {
      const design = rawDesign(name);
      for (const [kind, part] of partsOf(design)) expect(right(kind, part), `${name} ${kind}`).toBe(true);
    }
  });

  test('have every member of the format, and the same required ones', () => {
    for (const { pattern, required } of members) {
      const [kind, place] = homeOf(pattern);
      if (kind === undefined || place === '' || place.endsWith('*')) continue;
      const names = place.split('/').slice(1);
      const name = names.pop() ?? '';
      const at = schemasAt(described.get(kind)?.schema, names);
      const having = at.filter(({ properties }) => Object.hasOwn(properties, name));
      expect(having, pattern).not.toEqual([]);
      // What only one form of a branch has is required in that form.
      const within = required ? having : at;
      expect(
        within.every((schema) => (schema.required ?? []).includes(name)),
        pattern,
      ).toBe(required);
    }
  });

  /** The kind that describes a place of the format, and the place within it. */
  function homeOf(pattern: string): [kind: string | undefined, within: string] {
    const [, step = '', inStep = ''] = /^\/steps\/(\w+)(.*)$/.exec(pattern) ?? [];
    if (step !== '') return [step, inStep];
    const [, block = '', inBlock = ''] = /^\/hooks\/\*\/nodes\/\*\/(\w+)(.*)$/.exec(pattern) ?? [];
    if (blocks.includes(block)) return [block, inBlock];
    if (pattern.startsWith('/hooks/'))
      return ['hooks', pattern.slice('/hooks'.length).replace('/*', '/before')];
    return ['frame', pattern];
  }

  /** The schemas of a place: more than one if its object has several forms. */
  function schemasAt(schema: ReturnType<typeof JSON.parse>, names: readonly string[]) {
    return names.reduce(
      (at, name) =>
        at
          .map((one) => (name === '*' ? (one.items ?? one.additionalProperties) : one.properties[name]))
          .filter((one) => one !== undefined)
          .flatMap((one) => one.anyOf ?? one.oneOf ?? [one]),
      [schema],
    );
  }
});

/** The parts of a design, each with the kind that describes it. */
function partsOf(design: Design): [kind: string, part: unknown][] {
  const found: [string, unknown][] = [['frame', design]];
  if (design.hooks) found.push(['hooks', design.hooks]);
  for (const step of Object.values(design.steps)) found.push([step.kind, step]);
  for (const place of placesAt(design, '/hooks/*/nodes/*/*')) {
    const block = String(place.at(-1));
    if (blocks.includes(block)) found.push([block, valueAt(design, place)]);
  }
  return found;
}

test('has examples that form a valid design together', async () => {
  const example = (kind: string) => structuredClone(described.get(kind)?.example);
  const named = JSON.stringify([...steps, ...blocks].map(example));
  const names = (pattern: RegExp) => [...new Set([...named.matchAll(pattern)].map(([, name = '']) => name))];
  const knowledgeBaseId = await newKnowledgeBase(world, project);
  const integrationId = await newIntegration(world, project);
  const calendarId = await newIntegration(world, project, 'calendar');
  const byKind = Object.fromEntries(steps.map((kind) => [kind, example(kind)]));
  const stepIds = names(/"(?:next|failed|declined|fallback|noAnswer|taken|none|target|step)":"(\w+)"/g);
  const nodeIds = names(/"hookNode":"(\w+)"/g);
  const nodes = blocks.map(example).map((node) => [node.id, node]);
  const spare = nodeIds.map((id) => [id, { id }]);
  const design = {
    ...example('frame'),
    steps: {
      ...Object.fromEntries(stepIds.map((id) => [id, { kind: 'end' }])),
      ...example('frame').steps,
      ...Object.fromEntries(Object.entries(byKind).map(([kind, step]) => [`of-${kind}`, step])),
    },
    hooks: { before: { nodes: { ...Object.fromEntries(spare), ...Object.fromEntries(nodes) } } },
    variables: names(/"\w*[vV]ariableId":"(\w+)"/g).map((id) => ({ id, type: 'text' })),
    knowledge: names(/"knowledgeIds":\["(\w+)"\]/g).map((id) => ({
      id,
      kind: 'knowledgeBase',
      knowledgeBaseId,
    })),
    integrations: names(/"integrationRef":"(\w+)"/g).map((id) =>
      id === 'appointments'
        ? { id, kind: 'calendar', integrationId: calendarId }
        : { id, kind: 'crm', integrationId },
    ),
  };
  const problems = await project.problems(await project.newConversation(), design);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});
