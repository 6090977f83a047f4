import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { type Access, accesses } from '../../src/operation/access.ts';
import { toolsets } from '../../tools/index.ts';
import { type McpClient, mcpTransports, openWorld, type Tenant, type World } from '../helpers/world.ts';
import { clientOfEnvironment, type Ended, runParleyMcp } from './parley-mcp.ts';
import { tools } from './registry.ts';

type Parameters = Readonly<Record<string, string>>;

let world: World;
let tenant: Tenant;
const clients: McpClient[] = [];

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await world.close();
});

/** The three equivalent ways to select tools. */
const ways = {
  URL: (parameters: Parameters, key: string) => world.mcp('modern http', key, parameters),
  flags: (parameters: Parameters, key: string) => world.mcp('modern stdio', key, parameters),
  async environment(parameters: Parameters, key: string) {
    const selection = environmentOf(parameters);
    const base = { DATABASE_URL: world.databaseUrl, PARLEY_API_KEY: key };
    const client = await clientOfEnvironment({ ...base, ...selection });
    clients.push(client);
    return client;
  },
};
const wayNames = ['URL', 'flags', 'environment'] as const;

function environmentOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [`PARLEY_${name.toUpperCase()}`, value]),
  );
}

async function namesSeenBy(client: McpClient): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

const namesOf = (wanted: (tool: McpTool) => boolean) => tools.filter(wanted).map(({ name }) => name);
const inToolset = (set: string) => {
  const members: readonly McpTool[] = Object.entries(toolsets).find(([name]) => name === set)?.[1] ?? [];
  return (tool: McpTool) => members.includes(tool);
};
const isAlwaysThere = ({ name }: McpTool) => name === 'get_current_key' || name === 'list_projects';
const needs = (...granted: Access[]) => {
  return ({ access }: McpTool) => access === 'none' || granted.includes(access);
};

const inFlows = inToolset('flows');
const selections: { parameters: Parameters; shows: (tool: McpTool) => boolean }[] = [
  { parameters: { toolsets: 'flows' }, shows: (tool) => inFlows(tool) || isAlwaysThere(tool) },
  {
    parameters: { tools: 'get_flow, list_flows' },
    shows: ({ name }) => name === 'get_flow' || name === 'list_flows',
  },
  { parameters: { exclude: 'delete_flow' }, shows: ({ name }) => name !== 'delete_flow' },
  { parameters: { access: 'read,draft' }, shows: needs('read', 'draft') },
  {
    parameters: {
      toolsets: 'flows',
      tools: 'list_trash',
      exclude: 'get_current_key,get_flow',
      access: 'read',
    },
    shows: (tool) =>
      (inFlows(tool) || tool.name === 'list_trash' || tool.name === 'list_projects') &&
      tool.access === 'read' &&
      tool.name !== 'get_flow',
  },
];

describe('a selection shows the same by flags, environment and URL', () => {
  test.each(selections)('$parameters', async ({ parameters, shows }) => {
    const expected = namesOf(shows);
    expect(expected.length).toBeGreaterThan(0);
    const seen = await Promise.all(
      wayNames.map(async (way) => namesSeenBy(await ways[way](parameters, tenant.key))),
    );
    for (const [index, way] of wayNames.entries()) expect(seen[index], way).toEqual(expected);
  });

  test.each(Object.keys(toolsets))('the toolset %s brings what tells an agent where it is', async (set) => {
    const client = await ways.URL({ toolsets: set }, tenant.key);
    const isInSet = inToolset(set);
    // A design belongs to a conversation, a conversation can start from a template, and files come as uploads.
    const brought: Record<string, string[]> = {
      designs: ['conversations', 'catalogue'],
      conversations: ['catalogue'],
      knowledge: ['uploads'],
      models: ['uploads'],
      voices: ['uploads'],
    };
    const isBrought = (brought[set] ?? []).map(inToolset);
    expect(await namesSeenBy(client)).toEqual(
      namesOf((tool) => isInSet(tool) || isBrought.some((test) => test(tool)) || isAlwaysThere(tool)),
    );
  });
});

describe('a selection with an unknown name is refused', () => {
  const unknownValues: Parameters[] = [
    { toolsets: 'flow' },
    { tools: 'get_flow,get_flows' },
    { exclude: 'delete_flows' },
    { access: 'read,wirte' },
  ];
  const refused: Parameters[] = [{ toolset: 'flows' }, { access: '' }, ...unknownValues];
  const refusedByUrl: Parameters[] = [
    ...refused,
    { constructor: 'read' },
    { toolsets: 'Flows' },
    { access: ',' },
  ];

  test.each(refusedByUrl)('by URL, before JSON-RPC is read: %o', async (parameters: Parameters) => {
    const { status, headers, body } = await world.rest('POST', `/mcp?${new URLSearchParams(parameters)}`, {
      key: tenant.key,
      body: '{ no JSON at all',
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      requestId: headers.get('x-request-id'),
      details: { issues: [{ in: 'querystring', path: `/${Object.keys(parameters).join()}` }] },
    });
  });

  test('by flag, which ends the process with one line on stderr', async () => {
    const runs = refused.map((parameters) => {
      const flags = Object.entries(parameters).map(([name, value]) => `--${name}=${value}`);
      return expectUsageError(runParleyMcp(flags, {}), parameters);
    });
    await Promise.all(runs);
  });

  test('by environment, which ends the process with one line on stderr', async () => {
    const runs = unknownValues.map((parameters) =>
      expectUsageError(runParleyMcp([], environmentOf(parameters)), parameters),
    );
    await Promise.all(runs);
  });

  async function expectUsageError(run: Promise<Ended>, parameters: Parameters): Promise<void> {
    const { status, stdout, stderr } = await run;
    expect({ status, stdout }, stderr).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^parley: [^\n]+\n$/);
    expect(stderr).toContain(`--${Object.keys(parameters).join()}`);
  }
});

describe('a selection can only narrow', () => {
  const beyond = tools.find(({ access }) => access === 'draft')?.name ?? '';

  test.each(wayNames)('by %s it gives a key no further access', async (way) => {
    const { key } = await world.key(tenant.projectId, { scope: 'service_app' });
    const client = await ways[way]({ access: 'read,draft,admin' }, key);
    expect(await namesSeenBy(client)).toEqual(namesOf(needs('read')));
    await expectForbidden(client, beyond);
  });

  test.each(wayNames)('by %s it takes access away from a key', async (way) => {
    const client = await ways[way]({ access: 'read' }, tenant.key);
    await expectForbidden(client, beyond);
  });

  test.each(mcpTransports)('over %s a tool that is not selected cannot be called', async (transport) => {
    const client = await world.mcp(transport, tenant.key, { toolsets: 'projects', exclude: 'get_project' });
    for (const name of ['get_project', 'list_flows']) {
      const call = client.callTool({ name, arguments: { projectId: tenant.projectId } });
      await expect(call).rejects.toMatchObject({ code: -32_602 });
    }
  });
});

describe('a key sees exactly the tools of its access', () => {
  const scopes = [
    ['service_app', ['read', 'run']],
    ['service_platform', ['read', 'run', 'draft', 'publish']],
    ['platform', accesses],
  ] as const;
  const transports = ['modern http', 'modern stdio'] as const;

  test.each(scopes)('of scope %s', async (scope, granted) => {
    const { key } = await world.key(tenant.projectId, { scope });
    for (const transport of transports)
      expect(await namesSeenBy(await world.mcp(transport, key))).toEqual(namesOf(needs(...granted)));
  });

  test('that was narrowed when it was made', async () => {
    const { key } = await world.key(tenant.projectId, { access: ['read', 'draft'] });
    for (const transport of transports)
      expect(await namesSeenBy(await world.mcp(transport, key))).toEqual(namesOf(needs('read', 'draft')));
  });

  test('none if it is publishable, and every call is refused', async () => {
    const { key } = await world.key(tenant.projectId, { type: 'publishable' });
    const refused = tools.filter(({ access, special }) => access !== 'none' && !special.browsers);
    for (const transport of transports) {
      const client = await world.mcp(transport, key);
      expect(await namesSeenBy(client)).toEqual([]);
      for (const { name } of refused) await expectForbidden(client, name);
    }
  });
});

async function expectForbidden(client: McpClient, name: string): Promise<void> {
  const { isError, content } = await client.callTool({ name, arguments: {} });
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ error: { code: 'forbidden' } });
}
