import type { McpTool } from '../../src/environment/mcp-view.ts';
import { toolsOf } from '../../src/environment/selection.ts';
import { restOperations } from '../../src/environment/toolsets.ts';
import { toolsets } from '../../tools/index.ts';

/** Every tool. The suites of this folder run for each of them. */
export const tools = toolsOf(toolsets);

/** Every operation of REST: the tools, and those that MCP covers with a tool. */
export const operations = toolsOf(restOperations(toolsets));

export function toolNamed(name: string): McpTool {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`the registry has no ${name}`);
  return tool;
}
