import type { McpTool, ResourcePublication } from '../../environment/mcp-view.ts';
import type { ByToolset, Choice } from '../../environment/selection.ts';
import type { Toolsets } from '../../environment/toolsets.ts';
import { type App, appMeta } from './app.ts';
import { inputJsonSchema, outputJsonSchema } from './schemas.ts';

/** A tool as `tools/list` shows it, and what decides whether it is shown. Plain JSON. */
export interface ListedTool extends Choice {
  readonly shown: ReturnType<typeof describeTool>;
  /** Its output as a resource, if it is published as one. */
  readonly resource?: ReturnType<typeof describeResource>;
  /** The kind of record of the resource, if clients may hear of its changes. */
  readonly watched?: ResourcePublication['watched'];
  /** The page that hosts show next to its result, if it has one. */
  readonly app?: App;
}

/** Every tool that can be listed. */
export type Listing = ByToolset<ListedTool>;

/** Converts every schema of a registry. Throws for one that cannot be converted, which stops the start. */
export function listingOf(toolsets: Toolsets): Listing {
  const listed = (tools: readonly McpTool[]) =>
    tools.map((tool) => ({
      name: tool.name,
      access: tool.access,
      shown: describeTool(tool),
      ...(tool.mcp.resource && { resource: describeResource(tool.mcp.resource) }),
      ...(tool.mcp.resource?.watched && { watched: tool.mcp.resource.watched }),
      ...(tool.mcp.app && { app: tool.mcp.app }),
    }));
  return Object.fromEntries(Object.entries(toolsets).map(([set, tools]) => [set, listed(tools)]));
}

function describeTool(tool: McpTool) {
  const { readOnly, destructive, idempotent } = tool.effect;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputJsonSchema(tool),
    ...(tool.mcp.outputSchema !== false &&
      tool.results.length === 0 && { outputSchema: outputJsonSchema(tool) }),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: tool.mcp.openWorld ?? false,
    },
    ...(tool.mcp.app && { _meta: appMeta(tool.mcp.app) }),
  };
}

function describeResource({ uri, name, title, description }: ResourcePublication) {
  return { uri, name, title, description, mimeType: 'application/json' };
}
