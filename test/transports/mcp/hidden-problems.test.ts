import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { starterDesign } from '../../../src/design/starter.ts';
import { type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

interface Refused {
  error: { code: string; details?: { issues: { path: string; message: string }[] } };
  problems?: { code: string; path: string }[];
}

async function refused(name: string, input: Record<string, unknown>): Promise<Refused> {
  const { isError, content } = await client.callTool({ name, arguments: input });
  expect(isError, content[0]?.text).toBe(true);
  return JSON.parse(content[0]?.text ?? '');
}

/** A design with an invalid step, one that leads nowhere, one option that is half, and a greeting that discloses nothing. */
const design = {
  ...starterDesign,
  steps: {
    ...starterDesign.steps,
    broken: { kind: 'message', text: 7, on: { next: 'lost' } },
    nowhere: { kind: 'message', text: 'One moment.', on: { next: 'gone' } },
    wish: { kind: 'route', options: [{ id: 'half', title: 'Half' }], on: { fallback: 'broken' } },
    greet: { kind: 'greeting', introLine: 'Hello, this is Anna.', on: { next: 'wish' } },
  },
};
const others = [
  { code: 'invalid_transition', path: '/steps/nowhere/on/next' },
  { code: 'invalid_route_option', path: '/steps/wish/options/0' },
];
const undisclosed = { code: 'ai_disclosure_required', path: '/steps/greet/introLine' };

test('create_conversation lists what is wrong with a design besides its shape, and besides other inputs', async () => {
  const { error, problems } = await refused('create_conversation', { name: '', design });
  expect(error.code).toBe('invalid_request');
  expect(error.details?.issues.map(({ path }) => path)).toEqual(['/name', '/design/steps/broken/text']);
  expect(problems).toMatchObject([...others, undisclosed]);
  expect(
    (await project.call('GET', `/v1/projects/${project.projectId}/conversations`)).body.conversations,
  ).toEqual([]);
});

test('write_design and edit_design do so too, and nothing follows from the invalid step', async () => {
  const conversationId = await project.newConversation();
  const written = await refused('write_design', { conversationId, version: 1, design });
  expect(written.error.details?.issues).toMatchObject([{ path: '/design/steps/broken/text' }]);
  expect(written.problems).toMatchObject(others);
  const { broken, nowhere, wish, greet } = design.steps;
  const merge = { steps: { broken, nowhere, wish, greet } };
  const edited = await refused('edit_design', { conversationId, version: 1, merge });
  expect(edited.error.details?.issues).toMatchObject([{ path: '/merge/steps/broken/text' }]);
  expect(edited.problems).toMatchObject([...others, undisclosed]);
  const { body } = await project.write(conversationId, design);
  expect(body.error.details.issues).toEqual([
    { in: 'body', path: '/design/steps/broken/text', message: 'Expected string.' },
  ]);
});

test('create_flow lists the problems of the configuration besides those of other inputs', async () => {
  const flowSchema = { greeting: 'Hello, I am a human receptionist.', faq: 'none' };
  const { error, problems } = await refused('create_flow', { name: '', flowSchema });
  expect(error.details?.issues.map(({ path }) => path)).toEqual(['/name']);
  expect(problems?.map(({ path }) => path).toSorted()).toEqual(['/faq', '/greeting']);
});

test('create_flow_version and edit_flow list what is wrong in a flow of any type', async () => {
  const deceptive = { greeting: 'Hello, I am a human receptionist.', mood: 'kind' };
  const hint = (member: string) => `The path points into ${member}.`;
  const found = { code: 'flow_schema_invalid', path: '/greeting' };
  const written = await refused('create_flow_version', { flowId: 7, flowSchema: deceptive });
  expect(written.error.details?.issues.map(({ path }) => path)).toEqual(['/flowId']);
  expect(written.problems).toMatchObject([{ ...found, hint: hint('flowSchema') }]);
  const edited = await refused('edit_flow', {
    flowId: 7,
    version: 0,
    merge: { ...deceptive, persona: null },
  });
  expect(edited.error.details?.issues.map(({ path }) => path)).toEqual(['/flowId', '/version']);
  expect(edited.problems).toMatchObject([{ ...found, hint: hint('merge') }]);
});

test('refuses a design that is not an object, or nested too deep, by its shape alone', async () => {
  let deep: unknown = {};
  for (let depth = 0; depth < 100; depth++) deep = { deep };
  for (const wrong of [7, null, [], {}, { ...starterDesign, steps: { deep } }, undefined]) {
    const { error, problems = [] } = await refused('create_conversation', { name: '', design: wrong });
    expect(error.code).toBe('invalid_request');
    expect(problems.filter(({ code }) => code !== 'invalid_transition')).toEqual([]);
  }
});
