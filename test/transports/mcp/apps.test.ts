import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { mcpTransports, openWorld, type World } from '../../helpers/world.ts';

const uri = 'ui://parley/design';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

describe.each(mcpTransports)('over %s', (door) => {
  test('names the page of a design at the tools that show one, and reads it', async () => {
    const client = await world.mcp(door, project.key);
    const { tools } = await client.listTools();
    const pages = tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta]] : []));
    expect(Object.fromEntries(pages)).toStrictEqual({
      draw_design: { ui: { resourceUri: uri } },
      diff_designs: { ui: { resourceUri: uri } },
    });
    const { contents } = await client.readResource({ uri });
    expect(contents).toStrictEqual([
      {
        uri,
        mimeType: 'text/html;profile=mcp-app',
        text: expect.stringMatching(/^<!doctype html>/),
        _meta: { ui: { csp: {}, prefersBorder: true } },
      },
    ]);
  });
});

test('returns the same results as before, for clients without apps', async () => {
  const conversationId = await project.newConversation();
  const client = await world.mcp('modern http', project.key);
  const { content } = await client.callTool({ name: 'draw_design', arguments: { conversationId } });
  expect(content).toStrictEqual([{ type: 'text', text: expect.stringContaining('mermaid') }]);
});

test('lists no page among the resources, which people and models pick from', async () => {
  const client = await world.mcp('modern http', project.key);
  const { resources } = await client.listResources();
  expect(resources.filter((resource) => resource.uri.startsWith('ui:'))).toStrictEqual([]);
});

test('has no page for a connection without a tool that shows it, and none at other addresses', async () => {
  const without = await world.mcp('modern http', project.key, { toolsets: 'flows' });
  await expect(without.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  const client = await world.mcp('modern http', project.key);
  for (const other of ['ui://parley/', 'ui://parley/designs', 'ui://parley/../design', 'ui://other/design'])
    await expect(client.readResource({ uri: other }), other).rejects.toMatchObject({ code: -32_602 });
});
