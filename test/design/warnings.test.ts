import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../helpers/world.ts';
import { type DesignProject, newIntegration, openDesignProject } from '../tools/design-project.ts';
import { told } from './told.ts';

let world: World;
let project: DesignProject;
let conversationId: string;
let integrationId: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  integrationId = await newIntegration(world, project);
});
afterAll(() => world.close());

const end = { kind: 'end' };
const design = (steps: Record<string, object>, more: object = {}) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'a' },
  steps,
  ...more,
});
const node = (blocks: object) =>
  design(
    { a: end },
    {
      hooks: { before: { nodes: { x: { id: 'x', ...blocks } } } },
      variables: [{ id: 'v', type: 'text' }],
      integrations: [{ id: 'crm', kind: 'crm', integrationId }],
    },
  );
const at = (place: string) => [`warning /hooks/before/nodes/x/${place}`];
const payload = (item: object) => node({ webhook: { url: '', payload: [{ id: 'p', key: 'k', ...item }] } });
const body = (item: object) =>
  node({ fetch: { url: '', method: 'POST', responseMappings: [], body: [{ id: 'p', key: 'k', ...item }] } });
const crmWrite = (more: object) =>
  node({
    crmWrite: { integrationRef: 'crm', contactIdSource: { variableId: 'v' }, operations: [], ...more },
  });
const property = (item: object) =>
  crmWrite({ updateContact: { propertyMappings: [{ id: 'p', property: 'k', ...item }] } });
const predicate = (variable: object) =>
  node({
    condition: {
      mode: 'logic',
      branches: [{ id: 'b', label: '', predicate: { variable, operator: 'exists' }, next: { end: true } }],
      else: { end: true },
    },
  });
const route = (option: object, more: object = {}) =>
  design({
    a: { kind: 'route', options: [{ id: 'o', title: '', description: '', ...option }], ...more },
    b: end,
  });
const logCall = { includeTranscript: false, includeSummary: false, includeRecordingUrl: false };

test.each<[what: string, design: () => object, expected: string[]]>([
  ['a step that nothing leads to', () => design({ a: end, b: end }), ['warning /steps/b']],
  [
    'steps that only lead to each other',
    () => design({ a: end, b: message('c'), c: message('b') }),
    ['warning /steps/b', 'warning /steps/c'],
  ],
  [
    'a step behind an alternate',
    () => design({ a: end, b: end }, { entry: { stepId: 'a', alternates: ['b'] } }),
    [],
  ],
  ['a step behind a hook', () => hook({ next: { step: 'b' } }), []],
  ['a step behind a hook, with an end that is false', () => hook({ next: { step: 'b', end: false } }), []],
  [
    'a greeting that says nothing fixed',
    () => design({ a: { kind: 'greeting', on: { next: 'b' } }, b: end }),
    ['warning /steps/a'],
  ],
  [
    'an option that leads nowhere',
    () => route({ id: 'p' }, { on: {} }),
    ['warning /steps/b', 'warning /steps/a/options/0'],
  ],
  ['an option with a fallback', () => route({}, { on: { fallback: 'b' } }), []],
  ['an option with a target', () => route({ target: 'b' }), []],
  ['a variable that is not named', () => payload({ source: 'variable' }), at('webhook/payload/0')],
  ['a variable that is named', () => payload({ source: 'variable', variableId: 'v' }), []],
  ['a system variable', () => payload({ source: 'variable', systemVariable: 'x' }), []],
  [
    'a value that is not given',
    () => payload({ source: 'custom', variableId: 'v' }),
    at('webhook/payload/0'),
  ],
  ['a value that is empty', () => payload({ source: 'custom', value: '' }), []],
  ['a prompt that is not given', () => body({ source: 'ai', value: '' }), at('fetch/body/0')],
  ['a prompt that is given', () => body({ source: 'ai', aiPrompt: 'Sum up.' }), []],
  [
    'a property from nowhere',
    () => property({ source: 'custom' }),
    at('crmWrite/updateContact/propertyMappings/0'),
  ],
  ['a property from a value', () => property({ source: 'custom', value: 'x' }), []],
  ['a predicate on nothing', () => predicate({}), at('condition/branches/0/predicate/variable')],
  ['a message to nobody', () => node({ sendSms: { to: {}, message: '' } }), at('sendSms/to')],
  ['a message to a number', () => node({ sendSms: { to: { literalString: '+1' }, message: '' } }), []],
  ['a contact from nowhere', () => crmWrite({ contactIdSource: {} }), at('crmWrite/contactIdSource')],
  [
    'an operation without its block',
    () => crmWrite({ operations: ['log_call', 'create_note'], logCall }),
    at('crmWrite/operations/1'),
  ],
  [
    'operations with their blocks',
    () => crmWrite({ operations: ['log_call', 'create_note'], logCall, createNote: { bodyTemplate: '' } }),
    [],
  ],
  ['a node that leads nowhere', () => node({ next: {} }), at('next')],
  [
    'a lookup that leads nowhere',
    () => node({ crmLookup: { integrationRef: 'crm', matchBy: [], fieldMappings: [], onNotFound: {} } }),
    at('crmLookup/onNotFound'),
  ],
])('%s', async (_, design, expected) => {
  expect(await told(project, conversationId, design())).toEqual(expected);
});

function message(next: string) {
  return { kind: 'message', text: '', on: { next } };
}

function hook(node: object) {
  return design({ a: end, b: end }, { hooks: { before: { nodes: { x: { id: 'x', ...node } } } } });
}

test('a step that no call comes to still has to name what is there', async () => {
  expect(await told(project, conversationId, design({ a: end, b: message('nobody') }))).toEqual([
    'invalid_transition /steps/b/on/next',
    'warning /steps/b',
  ]);
});
