import type { Tool } from '../../src/tool/define.ts';
import { restOperations, toolsOf } from '../../src/tool/selection.ts';
import { toolsets } from '../../tools/index.ts';

/** Every tool. The suites of this folder run for each of them. */
export const tools = toolsOf(toolsets);

/** Every operation of REST: the tools, and those that MCP covers with a tool. */
export const operations = toolsOf(restOperations(toolsets));

export function toolNamed(name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`the registry has no ${name}`);
  return tool;
}
