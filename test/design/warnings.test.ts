import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DesignProject, newIntegration, openDesignProject } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { problemsOf } from './problems-of.ts';

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
  ['a step without a way to it', () => design({ a: end, b: end }), ['warning /steps/b']],
  [
    'steps that only lead to each other',
    () => design({ a: end, b: message('c'), c: message('b') }),
    ['warning /steps/b', 'warning /steps/c'],
  ],
  [
    'a step after an alternate',
    () => design({ a: end, b: end }, { entry: { stepId: 'a', alternates: ['b'] } }),
    [],
  ],
  ['a step after a hook', () => hook({ next: { step: 'b' } }), []],
  [
    'a step after a hook whose target also has end: false',
    () => hook({ next: { step: 'b', end: false } }),
    [],
  ],
  [
    'a greeting without an introLine',
    () => design({ a: { kind: 'greeting', on: { next: 'b' } }, b: end }),
    ['warning /steps/a'],
  ],
  [
    'an option without target or fallback',
    () => route({ id: 'p' }, { on: {} }),
    ['warning /steps/b', 'warning /steps/a/options/0'],
  ],
  ['an option with a fallback', () => route({}, { on: { fallback: 'b' } }), []],
  ['an option with a target', () => route({ target: 'b' }), []],
  [
    'a value of source variable without a variable',
    () => payload({ source: 'variable' }),
    at('webhook/payload/0'),
  ],
  ['a value of source variable with a variable', () => payload({ source: 'variable', variableId: 'v' }), []],
  ['a system variable', () => payload({ source: 'variable', systemVariable: 'callerPhone' }), []],
  [
    'a value of source custom without a value',
    () => payload({ source: 'custom', variableId: 'v' }),
    at('webhook/payload/0'),
  ],
  ['a value of source custom with an empty value', () => payload({ source: 'custom', value: '' }), []],
  ['a value of source ai without a prompt', () => body({ source: 'ai', value: '' }), at('fetch/body/0')],
  ['a value of source ai with a prompt', () => body({ source: 'ai', aiPrompt: 'Sum up.' }), []],
  [
    'a CRM property without a source',
    () => property({ source: 'custom' }),
    at('crmWrite/updateContact/propertyMappings/0'),
  ],
  ['a CRM property with a value', () => property({ source: 'custom', value: 'x' }), []],
  ['a predicate without a variable', () => predicate({}), at('condition/branches/0/predicate/variable')],
  ['an SMS without a recipient', () => node({ sendSms: { to: {}, message: '' } }), at('sendSms/to')],
  ['an SMS to a number', () => node({ sendSms: { to: { literalString: '+1' }, message: '' } }), []],
  ['a contact without a source', () => crmWrite({ contactIdSource: {} }), at('crmWrite/contactIdSource')],
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
  ['a node with an empty target', () => node({ next: {} }), at('next')],
  [
    'a lookup with an empty onNotFound',
    () => node({ crmLookup: { integrationRef: 'crm', matchBy: [], fieldMappings: [], onNotFound: {} } }),
    at('crmLookup/onNotFound'),
  ],
])('reports the warnings of %s', async (_, design, expected) => {
  expect(await problemsOf(project, conversationId, design())).toEqual(expected);
});

function message(next: string) {
  return { kind: 'message', text: '', on: { next } };
}

function hook(node: object) {
  return design({ a: end, b: end }, { hooks: { before: { nodes: { x: { id: 'x', ...node } } } } });
}

test('checks the references of unreachable steps too', async () => {
  expect(await problemsOf(project, conversationId, design({ a: end, b: message('nobody') }))).toEqual([
    'invalid_transition /steps/b/on/next',
    'warning /steps/b',
  ]);
});
