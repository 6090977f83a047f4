import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { inputsOnce } from '../contract/examples.ts';
import { operations, toolNamed } from '../contract/registry.ts';
import { bodyOf, partsOf, routeOf } from '../contract/rest-request.ts';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
});
afterAll(() => world?.close());

let proxy: Awaited<ReturnType<typeof openWithholdingProxy>>;
let replica: Awaited<ReturnType<typeof openSecondReplica>>;
beforeEach(async () => {
  proxy = await openWithholdingProxy();
  replica = await openSecondReplica({ ...world, databaseUrl: proxy.forwardToDatabase(world.databaseUrl) });
  onTestFinished(async () => {
    proxy.close();
    await replica.close();
  });
});

const inputOf = inputsOnce(() => arrangeIn(world, tenant));
const declaring = operations.filter(({ special }) => special.unavailable !== undefined);

async function send(tool: McpTool) {
  const parts = partsOf(tool, await inputOf(tool));
  const body = bodyOf(tool, parts);
  const reply = await fetch(replica.base + routeOf(tool, parts), {
    method: tool.rest.method,
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { error } = (await reply.json()) as { error?: { code: string } };
  return { status: reply.status, code: error?.code, retryAfter: reply.headers.get('retry-after') };
}

const unavailable = ({ special }: McpTool) => ({ status: 503, code: special.unavailable, retryAfter: '1' });

test.each(declaring)('$name returns its own code before the key is found', async (tool) => {
  await inputOf(tool);
  proxy.close();
  expect(await send(tool)).toEqual(unavailable(tool));
});

test.each(declaring)('$name returns its own code after the key was found', async (tool) => {
  expect((await send(tool)).status).toBeLessThan(300);
  proxy.close();
  expect(await send(tool)).toEqual(unavailable(tool));
});

test.each([
  ['nothing was written', 'during a statement', 'immediate', 'agent_config_unavailable', 503],
  ['something went wrong', 'during COMMIT', 'deferred', 'internal_error', 500],
])('says that %s if the connection is lost %s', async (_, __, when, code, status) => {
  const tool = toolNamed('replace_agent_profile');
  expect((await send(tool)).status).toBe(200);
  await world.rows(
    `create or replace function wait_for_test() returns trigger language plpgsql
     as $$ begin perform pg_advisory_xact_lock(7); return null; end $$`,
  );
  await world.rows(
    `create constraint trigger wait_for_test after update on agent_profiles
     deferrable initially ${when} for each row execute function wait_for_test()`,
  );
  const lock = new pg.Client({ connectionString: world.databaseUrl });
  await lock.connect();
  await lock.query('begin; select pg_advisory_xact_lock(7)');
  const reply = send(tool);
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  await expect.poll(() => world.rows(waits), { timeout: 20_000 }).toHaveLength(1);
  proxy.close();
  expect(await reply).toEqual({ status, code, retryAfter: '1' });
  await lock.end();
  await world.rows('drop trigger wait_for_test on agent_profiles');
});
