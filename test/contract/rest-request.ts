import type { McpTool } from '../../src/environment/mcp-view.ts';
import { hasBody, placeOf, restName } from '../../src/operation/input.ts';

/** The input of an operation, by the tool's input names. */
export type Input = Readonly<Record<string, unknown>>;

/** The three parts of a REST request that an issue's `in` can name. */
export interface RequestParts {
  readonly params: Record<string, unknown>;
  readonly querystring: Record<string, unknown>;
  readonly body: Record<string, unknown>;
}

/** Divides an input into the parts of a REST request, under REST's names. */
export function partsOf(tool: McpTool, input: Input): RequestParts {
  const parts: RequestParts = { params: {}, querystring: {}, body: {} };
  for (const [name, value] of Object.entries(input))
    if (value !== undefined) parts[placeOf(tool, name)][restName(tool, name)] = value;
  return parts;
}

/** Returns the path and query of a request. */
export function routeOf(tool: McpTool, { params, querystring }: RequestParts): string {
  const path = tool.rest.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(querystring)) query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Returns a body as a form, for operations that take a file: texts, and the file decoded from base64. */
export function formOf(tool: McpTool, body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    if (name === tool.file) {
      const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
      form.append(name, new File([bytes], 'recording'));
    } else for (const text of Array.isArray(value) ? value : [value]) form.append(name, String(text));
  return form;
}

/** Returns the body of a request, or undefined if the operation defines none and the input gives none. */
export function bodyOf(tool: McpTool, { body }: RequestParts): Record<string, unknown> | undefined {
  const wanted = Object.values(tool.rest.from).includes('body') || Object.keys(body).length > 0;
  return hasBody(tool) && wanted ? body : undefined;
}
