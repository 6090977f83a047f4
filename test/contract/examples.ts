import type { McpTool } from '../../src/environment/mcp-view.ts';
import { idsAt } from '../../src/operation/reference.ts';
import type { Arrange } from './arrange.ts';
import type { Door } from './doors.ts';
import { type Example, operationTable } from './operation-table.ts';
import type { Place } from './references.ts';
import type { Input } from './rest-request.ts';

/** Arranges an operation's example and returns its input for this door. */
export async function exampleInput(tool: McpTool, { name }: Door, arrange: Arrange): Promise<Input> {
  const { input, onMcp } = exampleOf(tool);
  const given = await input(arrange);
  return name === 'REST' ? given : { ...given, ...onMcp?.input };
}

/** Returns an input for each door into one project. If the operation writes, each door gets its own fixture. */
export async function exampleInputs(tool: McpTool, doors: readonly Door[], arrange: Arrange) {
  const { input, onMcp } = exampleOf(tool);
  const inputs: { door: Door; input: Input }[] = [];
  let given: Input | undefined;
  for (const door of doors) {
    given = given && tool.effect.readOnly ? given : await input(arrange);
    inputs.push({ door, input: door.name === 'REST' ? given : { ...given, ...onMcp?.input } });
  }
  return inputs;
}

/**
 * Returns a function that creates the example input of an operation once, and then returns it again. Creating one takes
 * up to eight requests. Share an input only between calls that fail, because they leave its records unchanged.
 */
export function inputsOnce(
  arrange: () => Arrange,
  create = async (tool: McpTool) => exampleOf(tool).input(arrange()),
): (tool: McpTool) => Promise<Input> {
  const inputs = new Map<McpTool, Promise<Input>>();
  return (tool) => {
    const input = inputs.get(tool) ?? create(tool);
    inputs.set(tool, input);
    return input;
  };
}

/** Returns a function that does the same for a reference: the input has an id there. */
export function inputsWithIds(arrange: () => Arrange): (place: Place) => Promise<Input> {
  const inputOf = inputsOnce(arrange);
  const alternatives = inputsOnce(arrange, async (tool) => {
    const { instead } = exampleOf(tool);
    if (!instead) throw new Error(`the example of ${tool.name} lacks an id`);
    const input = { ...(await inputOf(tool)), ...(await instead(arrange())) };
    return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  });
  return async ({ tool, reference }) => {
    const input = await inputOf(tool);
    return idsAt(input, reference.path).length > 0 ? input : alternatives(tool);
  };
}

/** Returns the example of an operation. Throws if the operation table has none. */
export function exampleOf({ name }: McpTool): Example {
  const row = operationTable[name];
  if (!row) throw new Error(`${name} has no row in test/contract/operation-table.ts`);
  return row;
}
