import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { hasBody } from '../../src/operation/input.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { newId } from '../../src/platform/id.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { openDoor, refusal, success } from '../contract/doors.ts';
import { exampleOf } from '../contract/examples.ts';
import { tools } from '../contract/registry.ts';
import { bodyOf, type Input, partsOf, routeOf } from '../contract/rest-request.ts';
import { openWorld, type RestAnswer, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'pro' });
});
afterAll(() => world.close());

/** False if an operation stores only usage. Such an operation passes unknown members on. */
const stores = ({ effect }: McpTool) => !effect.readOnly && effect.transaction !== 'none';
const writing = tools.filter((tool) => stores(tool) && hasBody(tool));
const closed = writing.filter(({ special }) => !special.ignoredMembers);
const replacing = writing.filter(({ special }) => special.ignoredMembers);

/** Members that no caller may set, in addition to those of the response: columns, and members of other records. */
const always = {
  id: newId('flow'),
  projectId: newId('project'),
  project_id: newId('project'),
  organizationId: newId('organization'),
  plan: 'enterprise',
  version: 987_654,
  isActive: true,
  createdAt: '2001-02-03T04:05:06.789Z',
  updatedAt: '2001-02-03T04:05:06.789Z',
  created_at: '2001-02-03T04:05:06.789Z',
  keyPrefix: 'parley_sk_forg',
  access: ['admin'],
  hash: 'forged',
};

/** Returns the members above and those of the response, with other values, except the ones that the body takes. */
function forgedMembers(tool: McpTool, answer: Input): [name: string, value: unknown][] {
  const others = Object.entries(answer).map(([name, value]) => [name, otherThan(value)] as const);
  const all = { ...always, ...Object.fromEntries(others) };
  return Object.entries(all).filter(([name]) => tool.rest.from[name] !== 'body');
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return 987_654;
  if (typeof value !== 'string') return { forged: true };
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return '2001-02-03T04:05:06.789Z';
  return /^c[a-z]{2}[0-9a-v]{26}$/.test(value) ? value.replace(/.{8}$/, '00000000') : 'forged';
}

/** Sends the request of an example with `members` added to its body. */
async function send(tool: McpTool, input: Input, members: Input): Promise<RestAnswer> {
  const parts = partsOf(tool, input);
  const body = { ...bodyOf(tool, parts), ...members };
  return world.rest(tool.rest.method, routeOf(tool, parts), { key: tenant.key, body });
}

/** Runs an example for its response. Returns that, and the input of a second example that has not run. */
async function exampleAndAnswer(tool: McpTool): Promise<{ input: Input; answer: Input }> {
  const { input } = exampleOf(tool);
  const arrange = arrangeIn(world, tenant);
  const answer = await arrange.call(tool.name, await input(arrange));
  return { input: await input(arrange), answer: isJsonObject(answer) ? answer : {} };
}

describe('a member of the record that is not an input changes nothing', () => {
  test.each(closed)('$name refuses it over REST', async (tool) => {
    const { input, answer } = await exampleAndAnswer(tool);
    const forged = forgedMembers(tool, answer);
    const before = await rowsOf();
    for (const members of [...forged.map((one) => [one]), forged]) {
      const { status, body } = await send(tool, input, Object.fromEntries(members));
      if (tool.envelope === 'detail') {
        const places = body.detail.map(({ loc }: { loc: string[] }) => loc);
        expect({ status, places }).toEqual({ status: 422, places: members.map(([name]) => ['body', name]) });
        continue;
      }
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'invalid_request' });
      const named = body.error.details.issues.map(({ path }: { path: string }) => path);
      expect(named).toEqual(members.map(([name]) => `/${name}`));
    }
    expect(await rowsOf()).toEqual(before);
    // Without the forged members, the same request succeeds.
    expect((await send(tool, input, {})).status).toBe(tool.rest.status);
  });

  test.each(writing)('$name refuses it over MCP', async (tool) => {
    const { input, answer } = await exampleAndAnswer(tool);
    const forged = forgedMembers(tool, answer).filter(([name]) => !Object.hasOwn(tool.rest.from, name));
    const mcp = await openDoor(world, 'modern http', tenant.key);
    const before = await rowsOf();
    for (const members of [...forged.map((one) => [one]), forged])
      refusal(await mcp.call(tool, { ...input, ...Object.fromEntries(members) }), 'invalid_request');
    expect(await rowsOf()).toEqual(before);
    success(await mcp.call(tool, input));
  });

  test.each(replacing)('$name ignores those that are read-only, and refuses the others', async (tool) => {
    const { input } = await exampleAndAnswer(tool);
    const { body: answer } = await send(tool, input, {});
    const forged = forgedMembers(tool, answer);
    const isIgnored = ([name]: [string, unknown]) => tool.special.ignoredMembers?.includes(name) ?? false;
    const [ignored, refused] = [forged.filter(isIgnored), forged.filter((one) => !isIgnored(one))];
    const readOnly = ({ updatedAt: _, ...record }: Record<string, unknown>) => record;
    const before = await rowsOf();
    for (const members of [...ignored.map((one) => [one]), ignored]) {
      const { status, body } = await send(tool, input, Object.fromEntries(members));
      expect(status).toBe(tool.rest.status);
      expect(readOnly(body)).toEqual(readOnly(answer));
      expect(body.updatedAt).not.toBe(always.updatedAt);
    }
    for (const members of [...refused.map((one) => [one]), forged])
      expect((await send(tool, input, Object.fromEntries(members))).status).toBe(400);
    expect(await rowsOf()).toEqual(before);
  });
});

test('every operation that writes is tried, or takes no body', () => {
  const tried = [...closed, ...replacing].map(({ name }) => name);
  const rest = tools.filter((tool) => stores(tool) && !tried.includes(tool.name));
  expect(rest.filter((tool) => tool.rest.method !== 'DELETE')).toEqual([]);
});

/**
 * Returns every row except those of the audit log and of usage, which is written a moment after its call, without the
 * times of the last use and update.
 */
async function rowsOf(): Promise<unknown[]> {
  const tables = await world.rows(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'audit_log'
       and table_name not like 'usage_%' order by 1`,
  );
  const selects = tables.map(
    ({ name }) => `select '${String(name)}' as name, to_jsonb(t) - '{last_used_at,updated_at}'::text[] as row
                   from ${String(name)} t`,
  );
  return world.rows(`${selects.join(' union all ')} order by 1, 2`);
}
