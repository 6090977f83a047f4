import { afterAll, beforeAll, expect, test } from 'vitest';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { problemsOf } from './problems-of.ts';

let world: World;
let project: DesignProject;
let conversationId: string;

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
});
afterAll(() => world.close());

const designWith = (commands: object) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: {
      kind: 'greeting',
      introLine: 'Hello, I am the AI assistant of Sunny Dental.',
      on: { next: 'menu' },
    },
    menu: {
      kind: 'route',
      prompt: 'A check-up?',
      options: [{ id: 'yes', title: 'Yes', description: 'Wants one.', target: 'bye' }],
      on: { fallback: 'bye' },
    },
    desk: { kind: 'transfer', destination: { kind: 'phoneNumber', value: '+12025550143' } },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  hooks: { commands },
});

test.each<[string, object, string[]]>([
  [
    'all known commands',
    {
      person: { next: { step: 'desk' } },
      stop: { next: { end: true } },
      repeat: {},
      human: { line: 'I am an AI assistant.' },
      swearing: { line: 'I am sorry.' },
      emergency: { description: 'Bleeds.', next: { step: 'desk' } },
    },
    [],
  ],
  [
    'a line that passes the agent off as a human',
    { human: { line: 'Of course I am a human.' }, person: { next: { step: 'desk' } } },
    ['design_invalid /hooks/commands/human/line'],
  ],
  [
    'an own command without a description',
    { gas: { next: { step: 'desk' } } },
    ['design_invalid /hooks/commands/gas'],
  ],
  [
    'two targets',
    { person: { next: { step: 'desk', end: true } } },
    ['design_invalid /hooks/commands/person/next'],
  ],
  [
    'an unknown step',
    { stop: { next: { step: 'nowhere' } }, person: { next: { step: 'desk' } } },
    ['invalid_transition /hooks/commands/stop/next/step'],
  ],
  ['no way to a step but by a command that is missing', {}, ['warning /steps/desk']],
])('a design with %s', async (_, commands, problems) => {
  expect(await problemsOf(project, conversationId, designWith(commands))).toEqual(problems);
});

test('a command stands in the proof, the outline, the diagram and the differences of a design', async () => {
  const id = await project.newConversation();
  const [plain, commanded] = [designWith({}), designWith({ person: { next: { step: 'desk' } } })];
  const { version: before } = created(await project.write(id, plain));
  const { version: n } = created(await project.write(id, commanded));
  const properties = [{ property: 'alwaysBefore', always: { step: 'menu' }, before: { step: 'desk' } }];
  const proved = await project.call('POST', `/v1/conversations/${id}/designs/prove`, {
    version: n,
    properties,
  });
  expect(proved.body).toMatchObject({ holds: true });
  const never = [{ property: 'neverAfter', never: { step: 'desk' }, after: { step: 'menu' } }];
  const broken = await project.call('POST', `/v1/conversations/${id}/designs/prove`, {
    version: n,
    properties: never,
  });
  expect(broken.body.versions[0].proofs).toMatchObject([
    {
      holds: false,
      counterexample: [{ id: 'hello' }, { id: 'menu', exit: 'asks for person' }, { id: 'desk' }],
    },
  ]);
  expect(JSON.stringify(broken.body.versions[0].proofs[0].call)).toContain('the caller asks for person');
  const outline = await project.read(id, n, '?outline=true');
  expect(JSON.stringify(outline.body)).toContain('"commands":["person"]');
  const diff = await project.call('GET', `/v1/conversations/${id}/versions/${n}/diff?against=${before}`);
  expect(diff.body.summary).toEqual(['command `person` added']);
  const drawn = await project.call('GET', `/v1/conversations/${id}/versions/${n}/diagram?format=mermaid`);
  expect(JSON.stringify(drawn.body)).toContain('Caller asks at any step');
});
