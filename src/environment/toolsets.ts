import type { McpTool } from './mcp-view.ts';
import type { ByToolset } from './selection.ts';

/** The registry: the tools of each folder of `tools/`. */
export type Toolsets = ByToolset<McpTool>;

/** The operations of REST by toolset: every tool, and what MCP covers with it. */
export function restOperations(toolsets: Toolsets): Toolsets {
  return Object.fromEntries(
    Object.entries(toolsets).map(([set, tools]) => [
      set,
      tools.flatMap((tool) => [tool, ...(tool.mcp.covers ?? [])]),
    ]),
  );
}
