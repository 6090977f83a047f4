import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineTool } from '../../../src/environment/define-tool.ts';
import { toolsOf } from '../../../src/environment/selection.ts';
import { accesses, keyScopes } from '../../../src/operation/access.ts';
import { toolsets as product } from '../../../tools/index.ts';
import { operationTable } from '../../contract/operation-table.ts';
import { emptyRequest } from '../../faults/example-requests.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

/** The access of each scope (`decisions#access`). */
const scopes: Record<string, readonly string[]> = {
  service_app: ['read', 'run'],
  service_platform: ['read', 'run', 'draft', 'publish'],
  platform: ['read', 'run', 'draft', 'publish', 'admin'],
};

/** An operation of access `run` without any required input. */
const tryRun = defineTool({
  name: 'try_run',
  title: 'Try a run',
  description: 'Stands for the operations that run a model.',
  rest: { method: 'POST', path: '/v1/runs' },
  input: v.strictObject({}),
  output: v.strictObject({}),
  access: 'run',
  effect: { readOnly: true, destructive: false, idempotent: true },
  handler: async () => ({}),
});
const toolsets = { ...product, runs: [tryRun] };
const tools = toolsOf(toolsets);

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld({ toolsets });
  tenant = await world.tenant();
});
afterAll(() => world.close());

/** Returns the operations that do not return 403. The requests name no record, so they have no effect. */
async function callable(key: string): Promise<string[]> {
  const outcomes = await Promise.all(
    tools.map(async (tool) => {
      const { method, route } = emptyRequest(tool);
      const { status, body } = await world.rest(method, route, { key });
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
      if (status === 403) expect(body.error.code).toBe('forbidden');
      return { name: tool.name, open: status !== 403 };
    }),
  );
  return outcomes.filter(({ open }) => open).map(({ name }) => name);
}

function having(held: readonly string[]): string[] {
  const accessOf = (name: string) => (name === 'try_run' ? 'run' : operationTable[name]?.route[2]);
  return tools.map(({ name }) => name).filter((name) => ['none', ...held].includes(accessOf(name) ?? ''));
}

async function listed(key: string): Promise<string[]> {
  const client = await world.mcp('modern http', key);
  return (await client.listTools()).tools.map(({ name }) => name);
}

test.each(keyScopes)('a key of scope %s may call, and sees, what its scope allows', async (scope) => {
  const { key } = await world.key(tenant.projectId, { scope });
  const allowed = having(scopes[scope] ?? []);
  expect(await callable(key)).toEqual(allowed);
  expect(await listed(key)).toEqual(allowed);
});

test.each(accesses)('a key narrowed to %s alone may call that and nothing else', async (access) => {
  for (const scope of keyScopes) {
    const { key } = await world.key(tenant.projectId, { scope, access: [access] });
    const allowed = having(scopes[scope]?.includes(access) ? [access] : []);
    expect(await callable(key), scope).toEqual(allowed);
    expect(await listed(key), scope).toEqual(allowed);
  }
});

test('a key narrowed to read and draft proposes, and goes live with nothing', async () => {
  const { key } = await world.key(tenant.projectId, { access: ['read', 'draft'] });
  const flow = { name: 'Flow', flowSchema: {} };
  const created = await world.rest('POST', `/v1/projects/${tenant.projectId}/flows`, { key, body: flow });
  expect(created.status).toBe(201);
  const versions = `/v1/flows/${created.body.id}/versions`;
  const version = await world.rest('POST', versions, { key, body: { flowSchema: {} } });
  expect([version.status, version.body.isActive]).toEqual([201, false]);
  const activate = await world.rest('POST', `/v1/flow-versions/${version.body.id}/activate`, { key });
  expect([activate.status, activate.body.error.code]).toEqual([403, 'forbidden']);
});

test('a key narrowed to nothing may call nothing, and a narrowing never adds to a scope', async () => {
  const nothing = await world.key(tenant.projectId, { access: [] });
  expect(await callable(nothing.key)).toEqual(having([]));
  const wide = await world.key(tenant.projectId, { scope: 'service_app', access: accesses });
  expect(await callable(wide.key)).toEqual(having(['read', 'run']));
});

test.each(keyScopes)(
  'a publishable key of scope %s may start web sessions and nothing else, and is shown nothing',
  async (scope) => {
    const { key } = await world.key(tenant.projectId, { type: 'publishable', scope });
    expect(await callable(key)).toEqual([...having([]), 'create_web_session']);
    expect(await listed(key)).toEqual([]);
  },
);
