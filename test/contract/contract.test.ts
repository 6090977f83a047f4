import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { type Arrange, arrangeIn } from './arrange.ts';
import { type Door, type DoorName, doorNames, openDoor, success } from './doors.ts';
import { exampleInput, exampleOf } from './examples.ts';
import { normalised } from './normalise.ts';
import { onMcp as leanOnMcp } from './on-mcp.ts';
import { operationTable } from './operation-table.ts';
import { operations, tools } from './registry.ts';
import type { Input } from './rest-request.ts';

/** A door into its own project, so that the calls through different doors do not affect each other. */
interface Entrance {
  readonly door: Door;
  readonly arrange: Arrange;
}

let world: World;
let entrances: Entrance[];

beforeAll(async () => {
  world = await openWorld();
  entrances = await Promise.all(doorNames.map(openEntrance));
});
afterAll(() => world.close());

async function openEntrance(name: DoorName): Promise<Entrance> {
  const tenant: Tenant = await world.tenant({ plan: 'enterprise' });
  return { door: await openDoor(world, name, tenant.key), arrange: arrangeIn(world, tenant) };
}

describe('the operation table', () => {
  test('has a row for every operation of the registry', () => {
    const missing = operations.filter(({ name }) => !Object.hasOwn(operationTable, name));
    expect(missing.map(({ name }) => `${name} has no row in test/contract/operation-table.ts`)).toEqual([]);
  });

  test('has no row for an operation that the registry lacks', () => {
    const names = operations.map(({ name }) => name);
    const stale = Object.keys(operationTable).filter((name) => !names.includes(name));
    expect(stale, 'run npm run generate if the operation is new, or delete its row').toEqual([]);
  });
});

describe('an operation does the same on every transport', () => {
  test.each(tools)('$name', async (tool) => {
    const [rest, ...overMcp] = await Promise.all(entrances.map((entrance) => answerAt(entrance, tool)));
    if (!rest) throw new Error('REST is the first door');
    expect(rest.status).toBe(tool.rest.status);
    // An operation that returns only bytes has no value to check. REST leaves out what MCP adds.
    const [firstOverMcp] = overMcp;
    const isAdded = ([name]: [string, unknown]) => tool.rest.omits.includes(name);
    const added = Object.entries((firstOverMcp?.value ?? {}) as Input).filter(isAdded);
    const full = added.length > 0 ? { ...(rest.value as Input), ...Object.fromEntries(added) } : rest.value;
    if (tool.output.type !== 'never') expectToBeOf(tool.output, full);
    for (const name of tool.rest.omits) expect(rest.value).not.toHaveProperty(name);

    const { varies, onMcp } = exampleOf(tool);
    const inObject = Array.isArray(rest.value) ? { items: rest.value } : rest.value;
    const shown = leanOnMcp(tool, inObject);
    const answered = onMcp?.answer ? onMcp.answer(shown) : shown;
    const { brief } = tool.mcp;
    const promised = normalised(brief ? brief(answered as JsonObject, rest.input, false) : answered, varies);
    for (const { name, value } of overMcp) {
      // `parley mcp` assumes that the server listens on this machine, and links drafts to it; this test has none.
      const { link: _, ...told } = value as Input;
      expect(normalised(told, varies), name).toEqual(promised);
    }
  });
});

async function answerAt({ door, arrange }: Entrance, tool: McpTool) {
  const input = await exampleInput(tool, door, arrange);
  const outcome = await door.call(tool, input);
  return { name: door.name, input, status: outcome.status, value: success(outcome) };
}

function expectToBeOf(schema: v.GenericSchema, value: unknown): void {
  const { issues = [] } = v.safeParse(schema, value);
  expect(issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toEqual([]);
}
