import type { McpTool } from '../../src/environment/mcp-view.ts';
import { idsAt } from '../../src/operation/reference.ts';
import { newId } from '../../src/platform/id.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { type Place, placesOf } from '../contract/references.ts';
import { tools } from '../contract/registry.ts';
import type { Input } from '../contract/rest-request.ts';
import type { Tenant, World } from '../helpers/world.ts';

/** The ids that requests try at one place of an input. */
export interface Ids {
  readonly place: Place;
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  readonly missing: string;
  readonly wrongKind: string;
}

/** The material for the requests of one operation: inputs that succeed, and ids for each reference. */
export interface Fixture {
  readonly tool: McpTool;
  readonly tenant: Tenant;
  readonly inputs: readonly Input[];
  readonly ids: readonly Ids[];
  /** Every id of the other project that an input could name. */
  readonly foreignIds: ReadonlySet<string>;
}

/** Another project, with a record of every kind that an operation can reference. */
export interface Foreign {
  readonly tenant: Tenant;
  readonly inputs: ReadonlyMap<McpTool, Input>;
}

export async function foreignProject(world: World): Promise<Foreign> {
  const tenant = await world.tenant({ plan: 'enterprise' });
  const inputs = new Map<McpTool, Input>();
  for (const tool of tools) inputs.set(tool, await exampleOf(tool).input(arrangeIn(world, tenant)));
  return { tenant, inputs };
}

/** Creates a fixture in a new project, so that the changes of one operation do not affect another. */
export async function fixtureOf(
  world: World,
  tool: McpTool,
  foreign: Foreign,
  count: number,
): Promise<Fixture> {
  const tenant = await world.tenant({ plan: 'enterprise' });
  const inputs: Input[] = [];
  while (inputs.length < count) inputs.push(await exampleOf(tool).input(arrangeIn(world, tenant)));
  const ids = placesOf([tool]).map((place) => {
    const { path, name } = place.reference;
    return {
      place,
      own: [...inputs.flatMap((input) => idsAt(input, path)), ...(name === 'key' ? [tenant.keyId] : [])],
      foreign: idsAt(foreign.inputs.get(tool), path),
      missing: newId(name),
      wrongKind: name === 'project' ? tenant.keyId : tenant.projectId,
    };
  });
  return { tool, tenant, inputs, ids, foreignIds: new Set(ids.flatMap((one) => one.foreign)) };
}

/** True if an input names a record of the other project. */
export function namesForeign({ tool, foreignIds }: Fixture, input: Input): boolean {
  return tool.references.some(({ path }) => idsAt(input, path).some((id) => foreignIds.has(id)));
}
