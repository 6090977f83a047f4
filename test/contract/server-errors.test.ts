import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import type { Toolsets } from '../../src/environment/toolsets.ts';
import { type ErrorCode, ToolError } from '../../src/platform/errors.ts';
import { toolsets } from '../../tools/index.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { type Door, openDoor } from './doors.ts';
import { inputsOnce } from './examples.ts';
import { operations, tools } from './registry.ts';

const secret = 'insert into flows failed at 10.0.0.1';
const hint = 'The operator sets a variable.';

/** What the handlers throw now. */
let thrown: Error;

const failingOne = (tool: McpTool): McpTool => ({
  ...tool,
  handler: () => Promise.reject(thrown),
  mcp: { ...tool.mcp, ...(tool.mcp.covers && { covers: tool.mcp.covers.map(failingOne) }) },
});

/** The product with handlers that fail. */
const broken: Toolsets = Object.fromEntries(
  Object.entries(toolsets).map(([name, listed]) => [name, listed.map(failingOne)]),
);

let world: World;
let failing: World;
let tenant: Tenant;
let doors: Door[];
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  const database = { url: world.databaseUrl, drop: async () => undefined };
  failing = await openWorld({ database, toolsets: broken });
  doors = [await openDoor(failing, 'REST', tenant.key), await openDoor(failing, 'modern http', tenant.key)];
});
afterAll(async () => {
  await failing?.close();
  await world?.close();
});

const inputOf = inputsOnce(() => arrangeIn(world, tenant));

/** Every status from 500 on that an operation may return, with its code. */
function serverErrors({ errors }: McpTool): [status: number, code: ErrorCode][] {
  const stated = Object.entries(errors).flatMap(([status, codes]) =>
    codes.map((code: ErrorCode): [number, ErrorCode] => [Number(status), code]),
  );
  return [[500, 'internal_error'], ...stated.filter(([status]) => status >= 500)];
}

test('finds errors of several kinds', () => {
  const codes = new Set(operations.flatMap((tool) => serverErrors(tool).map(([, code]) => code)));
  expect(codes.size).toBeGreaterThan(4);
});

test.each(operations)('a 5xx of $name has generic words and no details', async (tool) => {
  const input = await inputOf(tool);
  for (const [status, code] of serverErrors(tool))
    for (const door of tools.includes(tool) ? doors : doors.slice(0, 1)) {
      thrown = new ToolError(code, secret, {
        status,
        details: { host: secret },
        hint,
        cause: new Error(secret),
      });
      const outcome = await door.call(tool, input);
      if (door.name === 'REST') expect(outcome.status).toBe(status);
      else expect(outcome.hint).toBe(hint);
      expect(outcome.error).toStrictEqual({
        code,
        message: expect.stringMatching(
          /^(?:Something went wrong|\w[\w ]+ is not (?:available|supported)|This )/,
        ),
        requestId: expect.any(String),
      });
      expect(JSON.stringify(outcome)).not.toContain(secret);
    }
});
