import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { type Access, accesses } from '../../src/operation/access.ts';
import { openWorld, type World } from '../helpers/world.ts';

let handled = 0;
const common = {
  title: 'Trial',
  description: 'Is called.',
  input: v.strictObject({ any: v.optional(v.number()) }),
  output: v.strictObject({ done: v.boolean() }),
  handler: async () => {
    handled++;
    return { done: true };
  },
};
const reads = { readOnly: true, destructive: false, idempotent: true } as const;
const writes = { readOnly: false, destructive: false, idempotent: false } as const;

/** One operation for each access. All but `read` are declared as writes. */
const byAccess = accesses.map((access) =>
  defineTool({
    ...common,
    name: `do_${access}`,
    rest: { method: 'POST', path: `/v1/trial/${access}` },
    access,
    effect: access === 'read' ? reads : writes,
  }),
);

const join = defineTool({
  ...common,
  name: 'join',
  rest: { method: 'POST', path: '/v1/trial/join' },
  access: 'run',
  effect: writes,
  special: { browsers: true },
});

/** Allowed in an archived project, like update_project and revoke_key. */
const unarchive = defineTool({
  ...common,
  name: 'unarchive',
  rest: { method: 'PATCH', path: '/v1/trial/unarchive' },
  access: 'admin',
  effect: writes,
  special: { projectStatus: ['active', 'paused', 'archived'] },
});

/** Refused in a paused project although it only reads. */
const awake = defineTool({
  ...common,
  name: 'be_awake',
  rest: { method: 'GET', path: '/v1/trial/awake' },
  access: 'read',
  effect: reads,
  special: { projectStatus: ['active'] },
});

let world: World;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [...byAccess, join, unarchive, awake] } });
});
afterAll(() => world.close());

const routes: [method: string, name: string][] = [
  ...accesses.map((access): [string, string] => ['POST', access]),
  ['POST', 'join'],
  ['PATCH', 'unarchive'],
  ['GET', 'awake'],
];

/** Returns the operations that a key may call over REST. Asserts that MCP agrees. */
async function allowed(key: string, isActive = true): Promise<string[]> {
  const names: string[] = [];
  const client = await world.mcp('modern http', key);
  for (const [method, name] of routes) {
    const before = handled;
    const { status, body } = await world.rest(method, `/v1/trial/${name}`, { key });
    expect([200, 403]).toContain(status);
    // A handler may run while the server still reads the project's status; its result and its writes are then discarded.
    if (method !== 'GET' && isActive) expect(handled).toBe(before + (status === 200 ? 1 : 0));
    if (status === 403) expect(body.error.code).toBe('forbidden');
    else names.push(name);
    const tool = name === 'awake' ? 'be_awake' : accesses.includes(name as Access) ? `do_${name}` : name;
    const result = await client.callTool({ name: tool, arguments: {} });
    expect(result.isError ?? false, name).toBe(status === 403);
  }
  return names;
}

describe('a key', () => {
  test.each([
    ['service_app', ['read', 'run', 'join', 'awake']],
    ['service_platform', ['read', 'run', 'draft', 'publish', 'join', 'awake']],
    ['platform', [...accesses, 'join', 'unarchive', 'awake']],
  ] as const)('of scope %s may call what needs its access', async (scope, names) => {
    const { projectId } = await world.tenant();
    expect(await allowed((await world.key(projectId, { scope })).key)).toStrictEqual([...names]);
  });

  test('narrowed when it was made may call no more than that, and never more than its scope', async () => {
    const { projectId } = await world.tenant();
    const draft = await world.key(projectId, { access: ['read', 'draft'] });
    expect(await allowed(draft.key)).toStrictEqual(['read', 'draft', 'awake']);
    const app = await world.key(projectId, { scope: 'service_app', access: ['read', 'admin'] });
    expect(await allowed(app.key)).toStrictEqual(['read', 'awake']);
  });

  test.each(['service_app', 'service_platform', 'platform'] as const)(
    'that is publishable, of scope %s, may call what names publishable keys and nothing else',
    async (scope) => {
      const { projectId } = await world.tenant();
      const { key } = await world.key(projectId, { type: 'publishable', scope });
      expect(await allowed(key)).toStrictEqual(['join']);
      expect((await (await world.mcp('legacy http', key)).listTools()).tools).toStrictEqual([]);
    },
  );

  test('sees on MCP what it may call, and only that', async () => {
    const { projectId } = await world.tenant();
    const { key } = await world.key(projectId, { scope: 'service_app' });
    const { tools } = await (await world.mcp('legacy http', key)).listTools();
    expect(tools.map(({ name }) => name)).toStrictEqual(['do_read', 'do_run', 'join', 'be_awake']);
  });

  test('may be tightened on MCP, never loosened', async () => {
    const { projectId } = await world.tenant();
    const { key } = await world.key(projectId, { access: ['read', 'draft'] });
    const client = await world.mcp('modern http', key, { access: 'read,admin' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toStrictEqual(['do_read', 'be_awake']);
    expect((await client.callTool({ name: 'do_read', arguments: {} })).isError).toBeUndefined();
    for (const name of ['do_draft', 'do_admin'])
      expect((await client.callTool({ name, arguments: {} })).isError).toBe(true);
  });
});

describe('a project', () => {
  test.each([
    ['active', [...accesses, 'join', 'unarchive', 'awake']],
    ['paused', ['read', 'draft', 'publish', 'admin', 'unarchive']],
    ['archived', ['read', 'unarchive']],
  ] as const)('that is %s allows what the operations say', async (status, names) => {
    const { projectId, key } = await world.tenant();
    await allowed(key);
    await world.rows('update projects set status = $2 where id = $1', [projectId, status]);
    expect(await allowed(key, status === 'active')).toStrictEqual([...names]);
  });

  test('whose state rules the operation out is reported before the input is checked', async () => {
    const { projectId, key } = await world.tenant();
    await world.rows(`update projects set status = 'archived' where id = $1`, [projectId]);
    const { status } = await world.rest('POST', '/v1/trial/draft', { key, body: { any: 'wrong' } });
    expect(status).toBe(403);
    const read = await world.rest('POST', '/v1/trial/read', { key, body: { any: 'wrong' } });
    expect(read.status).toBe(400);
  });
});
