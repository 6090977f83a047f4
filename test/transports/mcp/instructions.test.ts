import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolNamesIn } from '../../contract/tool-names.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const selections: Record<string, string>[] = [
  {},
  { access: 'read' },
  { access: 'read,run' },
  { access: 'read,draft' },
  { access: 'admin' },
  { toolsets: 'flows' },
  { toolsets: 'designs', access: 'read' },
  { toolsets: 'knowledge', exclude: 'list_projects' },
  { tools: 'get_health' },
];

test.each(selections)('the instructions name only tools that are listed: %j', async (selection) => {
  const client = await world.mcp('modern http', tenant.key, selection);
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  const instructions = client.getInstructions() ?? '';
  expect(toolNamesIn(instructions).filter((name) => !listed.includes(name))).toEqual([]);
});

test('a key that may do everything is told how to change things, and which toolsets there are', async () => {
  const client = await world.mcp('modern http', tenant.key);
  const instructions = client.getInstructions() ?? '';
  for (const name of ['edit_flow', 'edit_design', 'restore_deleted']) expect(instructions).toContain(name);
  expect(instructions).toContain('flows, conversations, designs');
  expect(instructions).not.toContain('do not promise');
});

test('a client that only reads is told so, over either line of the protocol and over stdio', async () => {
  for (const transport of ['modern http', 'legacy http', 'modern stdio'] as const) {
    const client = await world.mcp(transport, tenant.key, { access: 'read' });
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toContain('These tools change nothing in the project: do not promise changes.');
    expect(instructions).not.toMatch(/To (?:change|make) /);
    expect(instructions).toContain('To understand a conversation: read_design');
  }
});

test('a client that drafts is told that others put drafts live', async () => {
  const client = await world.mcp('modern http', tenant.key, { access: 'read,draft' });
  expect(client.getInstructions()).toContain('somebody else puts drafts live');
});

test('a selection names its own toolsets', async () => {
  const client = await world.mcp('modern http', tenant.key, { toolsets: 'knowledge' });
  expect(client.getInstructions()).toContain(
    'search for these toolsets: projects, keys, knowledge, uploads.',
  );
});
