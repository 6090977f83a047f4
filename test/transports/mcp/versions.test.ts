import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { created, type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  client = await world.mcp('modern http', project.key);
  conversationId = await project.newConversation();
  const { body: design } = await project.read(conversationId, 1);
  for (const line of ['Two.', 'Three.']) {
    const steps = { ...design.steps, goodbye: { kind: 'end', line } };
    created(await project.write(conversationId, { ...design, steps }));
  }
  await project.activate(conversationId, 2);
});
afterAll(() => world.close());

async function call(name: string, input: Record<string, unknown>) {
  const { content } = await client.callTool({ name, arguments: input });
  return JSON.parse(content[0]?.text ?? '');
}

describe('on MCP, version names the number of a version', () => {
  test.each([
    ['no version', {}, 3, 'Three.'],
    ['newest', { version: 'newest' }, 3, 'Three.'],
    ['active', { version: 'active' }, 2, 'Two.'],
    ['a number', { version: 1 }, 1, undefined],
  ])('read_design with %s', async (_, version, number, line) => {
    const steps = await call('read_design', { conversationId, ...version, steps: ['goodbye'] });
    expect(steps.version).toBe(number);
    if (line) expect(steps.steps.goodbye.line).toBe(line);
  });

  test('the whole design says its version if the call did not', async () => {
    const whole = await call('read_design', { conversationId });
    expect(whole).toMatchObject({ version: 3, design: { schemaVersion: 'cd/1' } });
    expect(await call('read_design', { conversationId, version: 3 })).toEqual(whole.design);
  });

  test('in every tool that takes one, and in results', async () => {
    expect(await call('draw_design', { conversationId, version: 'active' })).toHaveProperty('mermaid');
    expect(await call('diff_designs', { conversationId })).toMatchObject({ against: 2, version: 3 });
    expect(
      await call('diff_designs', { conversationId, version: 'newest', against: 'active' }),
    ).toMatchObject({
      version: 3,
      against: 2,
    });
    expect(await call('prove_design', { conversationId, version: 'active' })).toMatchObject({
      versions: [{ version: 2, isActive: true }],
    });
    const { versions } = await call('list_conversation_versions', { conversationId });
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    expect(versions[0]).not.toHaveProperty('n');
    const merge = { steps: { goodbye: { line: 'Four.' } } };
    expect(await call('validate_design', { conversationId, version: 'active', merge })).toMatchObject({
      valid: true,
    });
    const id = await project.newConversation();
    expect(await call('edit_design', { conversationId: id, version: 'newest', merge })).toMatchObject({
      version: 2,
    });
    expect(
      await call('activate_conversation_version', { conversationId: id, version: 'newest' }),
    ).toMatchObject({
      activeVersion: 2,
    });
    const { body: design } = await project.read(id, 2);
    expect(await call('write_design', { conversationId: id, design, version: 2 })).toMatchObject({
      version: 3,
    });
  });

  test('diff_designs asks for another version if the newest is the first', async () => {
    const id = await project.newConversation();
    const { error } = await call('diff_designs', { conversationId: id });
    expect(error.details.issues).toMatchObject([{ path: '/against' }]);
  });

  test.each(['n', 'versionNumber', 'baseVersion', 'base_version', 'version_number', 'versionId', 'number'])(
    'a tool that receives %s says the right name, and changes nothing',
    async (name) => {
      for (const [tool, more] of [
        ['read_design', {}],
        ['write_design', { design: {} }],
        ['edit_design', { merge: {} }],
        ['diff_designs', {}],
        ['activate_conversation_version', {}],
      ] as const) {
        const { error } = await call(tool, { conversationId, [name]: 1, ...more });
        expect(error.code).toBe('invalid_request');
        const issue = error.details.issues.find(({ path }: { path: string }) => path === `/${name}`);
        expect(issue?.message, tool).toContain('called version');
      }
      expect(await project.versions(conversationId)).toHaveLength(3);
    },
  );

  test.each(['edit_design', 'write_design'])('%s requires it', async (name) => {
    const { error } = await call(name, { conversationId, design: {}, merge: {} });
    expect(error.details.issues).toContainEqual(
      expect.objectContaining({ path: '/version', message: 'Is required.' }),
    );
  });
});

test('REST takes no words for the number of a version, and keeps its names', async () => {
  for (const word of ['newest', 'active'])
    for (const path of ['design', 'diff', 'diagram']) {
      const route = `/v1/conversations/${conversationId}/versions/${word}/${path}`;
      const { status, body } = await project.call('GET', route);
      expect({ status, issues: body.error.details.issues }).toEqual({
        status: 400,
        issues: [{ in: 'params', path: '/n', message: 'Expected number.' }],
      });
    }
  const written = await project.write(conversationId, {}, { version: 'newest' });
  expect(written.body.error.details.issues).toContainEqual({
    in: 'body',
    path: '/version',
    message: 'Expected number.',
  });
  expect(await project.versions(conversationId)).toMatchObject([{ n: 3 }, { n: 2 }, { n: 1 }]);
});

describe('the project on MCP', () => {
  test('is that of the key unless the call names one', async () => {
    const { projectId } = project;
    for (const input of [{}, { projectId }]) {
      expect(await call('get_project', input)).toMatchObject({ id: projectId });
      const made = await call('create_flow', { ...input, name: 'F', flowSchema: {} });
      expect(made).toMatchObject({ name: 'F' });
    }
    const other = await openDesignProject(world);
    const { error } = await call('list_flows', { projectId: other.projectId });
    expect(error.code).toBe('not_found');
  });

  test('is not among the inputs that tools show', async () => {
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools) {
      expect(inputSchema['properties']).not.toHaveProperty('projectId');
      expect(inputSchema['required'] ?? []).not.toContain('projectId');
    }
  });
});
