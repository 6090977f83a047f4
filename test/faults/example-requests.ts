import type { Tool } from '../../src/tool/define.ts';
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

/** Makes requests that succeed, for any operation of the registry; no two of an operation that writes are alike. */
export function exampleRequests(world: World, tenant: Tenant) {
  const arrange = arrangeIn(world, tenant);
  let made = 0;
  return async (tool: Tool): Promise<ExampleRequest> => {
    const input = await exampleOf(tool).input(arrange);
    made += 1;
    const parts = partsOf(
      tool,
      tool.rest.from['name'] === 'body' ? { ...input, name: `Example ${made}` } : input,
    );
    return { method: tool.rest.method, route: routeOf(tool, parts), body: bodyOf(tool, parts) };
  };
}

/** A request of an operation that gets no further than its path, which names nothing. */
export function emptyRequest(tool: Tool): ExampleRequest {
  const { method, path } = tool.rest;
  return { method, route: path.replaceAll(/\{\w+\}/g, 'x'), body: undefined };
}
