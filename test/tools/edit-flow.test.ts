import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProject, type Project } from '../helpers/project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

const words = 'We open at eight and close at six from Monday to Friday, and you can park behind the house.';
const large = {
  greeting: 'Hello, I am the AI assistant of the clinic.',
  instructions: Array.from({ length: 120 }, (_, index) => `${index}. ${words}`).join(' '),
  faq: Array.from({ length: 120 }, (_, index) => ({ question: `Question ${index}?`, answer: words })),
};

async function flowWith(flowSchema: unknown): Promise<string> {
  const { body } = await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
    name: 'Clinic',
    flowSchema,
  });
  return body.id;
}

const edit = (flowId: string, version: number, body: unknown) =>
  project.call('PATCH', `/v1/flows/${flowId}/versions/${version}/schema`, body);

async function configurations(flowId: string): Promise<unknown[]> {
  const { body } = await project.call('GET', `/v1/flows/${flowId}/versions`);
  return body.versions.map(({ flowSchema }: { flowSchema: unknown }) => flowSchema);
}

test('changing one word in a flow of 6,000 tokens costs an agent under 400 tokens', async () => {
  expect(countTokens(JSON.stringify(large))).toBeGreaterThan(5_500);
  const flowId = await flowWith(large);
  let tokens = 0;
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    expect(isError).not.toBe(true);
    const text = content[0]?.text ?? '';
    tokens += countTokens(name) + countTokens(JSON.stringify(input)) + countTokens(text);
    return JSON.parse(text);
  };
  const replace = { find: '77. We open at eight', with: '77. We open at nine' };
  const edited = await call('edit_flow', { flowId, version: 'newest', replace });
  expect(edited).toMatchObject({ version: 2, changes: [{ path: '/instructions', change: 'changed' }] });
  await call('activate_flow_version', { versionId: edited.id });
  expect(tokens).toBeLessThan(400);
  const [newest] = await configurations(flowId);
  expect(newest).toEqual({
    ...large,
    instructions: large.instructions.replace(replace.find, replace.with),
  });
});

describe('an edit of a flow', () => {
  test('takes a patch or a merge patch, and leaves the version that it changes', async () => {
    const flowId = await flowWith({ greeting: 'Hi, AI here.', faq: [{ question: 'Open?', answer: 'Yes.' }] });
    const patch = [{ op: 'replace', path: '/faq/0/answer', value: 'No.' }];
    const { status, body } = await edit(flowId, 1, { patch });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      version: 2,
      isActive: false,
      changes: [{ path: '/faq', change: 'changed' }],
    });
    expect((await edit(flowId, 2, { merge: { greeting: null, closing: 'Bye.' } })).body.changes).toEqual([
      { path: '/greeting', change: 'removed' },
      { path: '/closing', change: 'added' },
    ]);
    expect(await configurations(flowId)).toEqual([
      { faq: [{ question: 'Open?', answer: 'No.' }], closing: 'Bye.' },
      { greeting: 'Hi, AI here.', faq: [{ question: 'Open?', answer: 'No.' }] },
      { greeting: 'Hi, AI here.', faq: [{ question: 'Open?', answer: 'Yes.' }] },
    ]);
  });

  test('of an older version is refused with what changed, or keeps both changes', async () => {
    const flowId = await flowWith({ greeting: 'Hi.', closing: 'Bye.' });
    await edit(flowId, 1, { merge: { greeting: 'Hello.' } });
    const refused = await edit(flowId, 1, { merge: { closing: 'Goodbye.' } });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'version_conflict',
      details: { version: 1, newestVersion: 2, changes: [{ path: '/greeting', change: 'changed' }] },
    });
    const both = await edit(flowId, 1, { merge: { closing: 'Goodbye.' }, onConflict: 'merge' });
    expect(both.body).toMatchObject({ version: 3, flowSchema: { greeting: 'Hello.', closing: 'Goodbye.' } });
    const same = await edit(flowId, 1, { merge: { greeting: 'Good day.' }, onConflict: 'merge' });
    expect(same.status).toBe(409);
    expect(same.body.error.details.conflicts).toEqual([
      { path: '/greeting', base: 'Hi.', theirs: 'Hello.', yours: 'Good day.' },
    ]);
    expect(await configurations(flowId)).toHaveLength(3);
  });

  test('writes nothing if it fails or leaves an invalid configuration', async () => {
    const flowId = await flowWith({ greeting: 'Hi.' });
    const codes = async (body: unknown, version = 1) => {
      const answer = await edit(flowId, version, body);
      return [answer.status, answer.body.error.code, answer.body.error.details?.issues?.[0]];
    };
    expect(await codes({ replace: { find: 'ho', with: 'x' } })).toMatchObject([
      400,
      'invalid_request',
      { path: '/replace/find' },
    ]);
    expect(await codes({ patch: [{ op: 'remove', path: '/nothing' }] })).toMatchObject([
      400,
      'invalid_request',
      { path: '/patch/0' },
    ]);
    expect(await codes({ merge: { greeting: 7 } })).toMatchObject([
      422,
      'flow_schema_invalid',
      { path: '/greeting' },
    ]);
    expect(await codes({ merge: {}, patch: [] })).toMatchObject([400, 'invalid_request', { path: '/merge' }]);
    expect(await codes({ merge: {} }, 9)).toEqual([404, 'not_found', undefined]);
    expect(await configurations(flowId)).toHaveLength(1);
  });

  test('names the places of a text that occurs more than once', async () => {
    const flowId = await flowWith({ greeting: 'Hi.', closing: 'Hi. Hi.' });
    const { body } = await edit(flowId, 1, { replace: { find: 'Hi', with: 'Hello' } });
    expect(body.error.message).toContain('Occurs 3 times, at /greeting, /closing, /closing');
    expect(await configurations(flowId)).toHaveLength(1);
  });
});
