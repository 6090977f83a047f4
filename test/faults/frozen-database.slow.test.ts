import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { openDoor } from '../contract/doors.ts';
import { exampleInput } from '../contract/examples.ts';
import { tools } from '../contract/registry.ts';
import { bodyOf, formOf, type Input, partsOf, routeOf } from '../contract/rest-request.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

const proxy = await openWithholdingProxy();
let world: World;
let tenant: Tenant;
const inputs: [tool: McpTool, input: Input][] = [];

beforeAll(async () => {
  const database = await cloneDatabase();
  world = await openWorld({
    databaseSilence: 2_000,
    databaseWait: 2_000,
    database: { url: proxy.forwardToDatabase(database.url), drop: database.drop },
  });
  tenant = await world.tenant();
  const door = await openDoor(world, 'REST', tenant.key);
  const arrange = arrangeIn(world, tenant);
  for (const tool of tools) inputs.push([tool, await exampleInput(tool, door, arrange)]);
});
afterAll(async () => {
  await world.close();
  proxy.close();
});

/** Calls every operation at once, and returns what each of them responds. */
async function callAll(key: string) {
  const calls = inputs.map(async ([tool, input]) => {
    const parts = partsOf(tool, input);
    const body = bodyOf(tool, parts);
    const {
      status,
      headers,
      body: answer,
    } = await world.rest(tool.rest.method, routeOf(tool, parts), {
      key,
      body: body && tool.file !== undefined ? formOf(tool, body) : body,
    });
    return [tool.name, { status, retryAfter: headers.get('retry-after'), code: answer.error?.code }] as const;
  });
  return Object.fromEntries(await Promise.all(calls));
}

const promised = Object.fromEntries(
  tools.map(({ name, access, special: { unavailable } }) => {
    if (access === 'none') return [name, { status: 200, retryAfter: null, code: undefined }];
    const [status, code] = unavailable ? [503, unavailable] : [500, 'internal_error'];
    return [name, { status, retryAfter: '1', code }];
  }),
);

test('a frozen database gives the documented error to every operation, every time, and none once it responds', async () => {
  const unseen = await world.key(tenant.projectId);
  proxy.freeze();
  onTestFinished(() => proxy.thaw());
  for (const key of [tenant.key, tenant.key, unseen.key]) expect(await callAll(key)).toEqual(promised);
  proxy.thaw();
  const route = `/v1/projects/${tenant.projectId}/usage`;
  await expect.poll(async () => (await world.rest('GET', route, { key: tenant.key })).status).toBe(200);
});
