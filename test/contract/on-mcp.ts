import type { McpTool } from '../../src/environment/mcp-view.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import type { JsonObject } from '../../src/operation/result.ts';

/** The members that records have in REST alone, unless a tool keeps them. */
const restOnly = ['projectId', 'createdAt', 'updatedAt'];

/** Returns a value of REST as MCP shows it: records, and the items of lists, without nulls and what only REST has. */
export function onMcp({ mcp: { pages, brief, keeps = [] } }: McpTool, value: unknown): unknown {
  if (!isJsonObject(value) || brief) return value;
  const lean = (record: JsonObject) =>
    Object.fromEntries(
      Object.entries(record).filter(
        ([name, member]) => keeps.includes(name) || (member !== null && !restOnly.includes(name)),
      ),
    );
  if (pages) return { ...value, [pages.items]: (value[pages.items] as JsonObject[]).map(lean) };
  return 'id' in value ? lean(value) : value;
}
