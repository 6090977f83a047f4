import type { McpTool } from '../../src/environment/mcp-view.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { bodyOf, partsOf, routeOf } from '../contract/rest-request.ts';
import type { Tenant, World } from '../helpers/world.ts';

/** A request as a REST client sends it. */
export interface ExampleRequest {
  readonly method: string;
  readonly route: string;
  readonly body: Record<string, unknown> | undefined;
}

/** Makes valid requests for any operation of the registry. No two requests of a write are equal. */
export function exampleRequests(world: World, tenant: Tenant) {
  const arrange = arrangeIn(world, tenant);
  let made = 0;
  return async (tool: McpTool): Promise<ExampleRequest> => {
    const input = await exampleOf(tool).input(arrange);
    made += 1;
    const parts = partsOf(
      tool,
      tool.rest.from['name'] === 'body' ? { ...input, name: `Example ${made}` } : input,
    );
    return { method: tool.rest.method, route: routeOf(tool, parts), body: bodyOf(tool, parts) };
  };
}

/** Makes a request that fails at its path, because the path names no record. */
export function emptyRequest(tool: McpTool): ExampleRequest {
  const { method, path } = tool.rest;
  return { method, route: path.replaceAll(/\{\w+\}/g, 'x'), body: undefined };
}
