import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examplesFor } from '../../src/disclosure/index.ts';
import { disclosing, undisclosing } from '../designs/disclosed.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

let project: Project;
let client: McpClient;
beforeEach(async () => {
  project = await openProject(world);
  client = await world.mcp('modern http', project.key);
});

async function callTool(name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  return { isError: isError === true, result: JSON.parse(content[0]?.text ?? '') };
}

/** Calls a tool that succeeds. */
async function done(name: string, input: Record<string, unknown>) {
  const { isError, result } = await callTool(name, input);
  expect(isError, JSON.stringify(result)).toBe(false);
  return result;
}

const warningAt = (path: string) => [expect.objectContaining({ path })];
const requireIt = async (requireDisclosure: boolean) =>
  (await project.call('PATCH', `/v1/projects/${project.projectId}`, { requireDisclosure })).body;

const german = 'Guten Tag, hier ist die Praxis Sonne. Wie kann ich helfen?';

describe('a flow whose greeting does not disclose the AI', () => {
  test('gets a warning over MCP, with a line that passes, and an exact record over REST', async () => {
    const flow = await done('create_flow', { name: 'Desk', flowSchema: { greeting: german } });
    expect(flow.warnings).toStrictEqual([
      {
        path: '/greeting',
        message: 'This line does not say clearly that the caller speaks with an AI: names no AI.',
        hint: `Add one sentence about the speaker, such as ${JSON.stringify(examplesFor(german)[0])}.`,
      },
    ]);
    const flowId = flow.id;
    const version = await done('create_flow_version', { flowId, flowSchema: {} });
    expect(version.warnings).toMatchObject([
      { path: '/greeting', message: expect.stringMatching(/has no greeting/) },
    ]);
    const merge = { greeting: german };
    const edited = await done('edit_flow', { flowId, version: 'newest', merge });
    const restored = await done('restore_version', { flowId, version: 2 });
    const activated = await done('activate_flow_version', { versionId: version.id });
    for (const { warnings } of [edited, restored.flow, activated])
      expect(warnings).toStrictEqual(warningAt('/greeting'));

    const record = await project.createFlow({ flowSchema: { greeting: german } });
    expect(record.body).not.toHaveProperty('warnings');
    const stored = await project.call('POST', `/v1/flows/${flowId}/versions`, { flowSchema: {} });
    expect(stored.body).not.toHaveProperty('warnings');
    const live = await project.call('POST', `/v1/flow-versions/${version.id}/activate`);
    expect(live.body).not.toHaveProperty('warnings');
  });
});

describe('the greeting of a graph', () => {
  const edge = (from: string, to: string) => ({ id: `${from}-${to}`, from, to });

  test.each<[string, unknown, string[]]>([
    ['a greeting that does', { greeting: disclosing }, []],
    ['neither', { nodes: [{ id: 'a', say: undisclosing }], greeting: undisclosing }, ['/greeting']],
    ['only its first node', { nodes: [{ id: 'a', say: disclosing }], greeting: undisclosing }, []],
    [
      'only a later node',
      {
        entry: 'a',
        nodes: [
          { id: 'b', say: disclosing },
          { id: 'a', say: undisclosing },
        ],
        edges: [edge('a', 'b')],
      },
      ['/nodes/1/say'],
    ],
    [
      'one of two ways from a silent entry',
      {
        entry: 'menu',
        nodes: [{ id: 'menu' }, { id: 'a', say: disclosing }, { id: 'b', say: undisclosing }],
        edges: [edge('menu', 'a'), edge('menu', 'b'), edge('b', 'menu')],
      },
      ['/nodes/2/say'],
    ],
    [
      'both ways from a silent entry',
      {
        entry: 'menu',
        nodes: [{ id: 'menu' }, { id: 'a', say: disclosing }, { id: 'b', say: disclosing }],
        edges: [edge('menu', 'a'), edge('menu', 'b'), edge('menu', 'menu')],
      },
      [],
    ],
    [
      'more ways than are checked',
      {
        nodes: [{ id: 'menu' }, ...Array.from({ length: 30 }, (_, n) => ({ id: `${n}`, say: disclosing }))],
        edges: Array.from({ length: 30 }, (_, n) => edge('menu', `${n}`)),
      },
      ['/nodes/21/say'],
    ],
  ])('discloses the AI, or gets a warning, if it is said in %s', async (_, flowSchema, paths) => {
    const { warnings = [] } = await done('create_flow', { name: 'Graph', type: 'graph', flowSchema });
    expect(warnings.map(({ path }: { path: string }) => path)).toStrictEqual(paths);
  });
});

describe('a project that requires disclosure', () => {
  test('lets no version of a flow go live whose greeting does not disclose the AI', async () => {
    const flowId = await project.newFlow({ flowSchema: { greeting: german } });
    expect(await requireIt(true)).toMatchObject({ requireDisclosure: true });
    const silent = await project.newVersion(flowId, {});
    const { isError, result } = await callTool('activate_flow_version', { versionId: silent });
    expect(isError).toBe(true);
    expect(result).toMatchObject({
      error: { code: 'flow_schema_invalid', details: { issues: [{ path: '/greeting' }] } },
      hint: expect.stringMatching(/^Add one that says so, such as "Hello, I am the AI assistant/),
    });
    expect(result.error.message).toContain('requireDisclosure');
    const created = await project.createFlow({ flowSchema: { greeting: german } });
    expect(created).toMatchObject({ status: 422, body: { error: { code: 'flow_schema_invalid' } } });
    const { body } = await project.call('GET', `/v1/flows/${flowId}/versions`);
    expect(body.versions.map(({ isActive }: { isActive: boolean }) => isActive)).toStrictEqual([false, true]);
    expect((await project.call('GET', `/v1/projects/${project.projectId}/flows`)).body.flows).toHaveLength(1);
  });

  test('lets a version go live that discloses it, and any again once it requires nothing', async () => {
    await requireIt(true);
    const flowId = await project.newFlow({ flowSchema: { greeting: disclosing } });
    const next = await project.newVersion(flowId, { greeting: `${disclosing} How can I help?` });
    const silent = await project.newVersion(flowId, {});
    const activate = async (id: string) =>
      (await project.call('POST', `/v1/flow-versions/${id}/activate`)).status;
    expect(await activate(next)).toBe(200);
    expect(await activate(silent)).toBe(422);
    expect(await requireIt(false)).toMatchObject({ requireDisclosure: false });
    expect(await activate(silent)).toBe(200);
  });

  test('does not hold another project to it, and stays as it is if an update does not name it', async () => {
    await requireIt(true);
    const other = await openProject(world);
    await other.newFlow({ flowSchema: {} });
    const { body } = await project.call('PATCH', `/v1/projects/${project.projectId}`, { name: 'Renamed' });
    expect(body).toMatchObject({ name: 'Renamed', requireDisclosure: true });
    const read = await project.call('GET', `/v1/projects/${project.projectId}`);
    expect(read.body).toMatchObject({ name: 'Renamed', requireDisclosure: true });
    const readOther = await other.call('GET', `/v1/projects/${other.projectId}`);
    expect(readOther.body).toMatchObject({ requireDisclosure: false });
  });
});
