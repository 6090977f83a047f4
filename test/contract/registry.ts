import type { Tool } from '../../src/tool/define.ts';
import { toolsOf } from '../../src/tool/selection.ts';
import { toolsets } from '../../tools/index.ts';

/** Every operation: what the suites of this folder loop over. */
export const tools = toolsOf(toolsets);

export function toolNamed(name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`the registry has no ${name}`);
  return tool;
}
