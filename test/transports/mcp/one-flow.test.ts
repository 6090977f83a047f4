import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

test('a flow is made over MCP stdio, activated over MCP HTTP, read over REST, deleted and restored', async () => {
  const { key, projectId } = await world.tenant();
  const [stdio, http] = [await world.mcp('legacy stdio', key), await world.mcp('modern http', key)];
  const flow = await stdio.callTool({
    name: 'create_flow',
    arguments: { projectId, name: 'Hours', flowSchema: { language: 'en' } },
  });
  const flowId = flow.structuredContent?.['id'] as string;
  const version = await stdio.callTool({
    name: 'create_flow_version',
    arguments: { flowId, flowSchema: { language: 'de' } },
  });
  const versionId = version.structuredContent?.['id'] as string;
  const activated = await http.callTool({ name: 'activate_flow_version', arguments: { versionId } });
  expect(activated.structuredContent).toMatchObject({ id: versionId, version: 2, isActive: true });

  const versions = `/v1/flows/${flowId}/versions`;
  const before = await world.rest('GET', versions, { key });
  const states = before.body.versions.map((one: { version: number; isActive: boolean }) => one.isActive);
  expect(states).toEqual([true, false]);

  const deleted = await world.rest('DELETE', `/v1/flows/${flowId}`, { key });
  expect(deleted.body).toEqual({ id: flowId, deleted: true, trashId: expect.any(String) });
  expect((await http.callTool({ name: 'get_flow', arguments: { flowId } })).isError).toBe(true);

  const listed = await stdio.callTool({ name: 'list_trash', arguments: { projectId } });
  const trash = (listed.structuredContent?.['trash'] ?? []) as { id: string; name: string }[];
  const [entry] = trash;
  expect(entry).toMatchObject({ kind: 'flow', name: 'Hours' });
  const restored = await http.callTool({
    name: 'restore_deleted',
    arguments: { projectId, trashId: entry?.id ?? '' },
  });
  expect(restored.structuredContent).toEqual({ id: flowId, kind: 'flow', restored: true });
  expect((await world.rest('GET', versions, { key })).body).toEqual(before.body);
});
