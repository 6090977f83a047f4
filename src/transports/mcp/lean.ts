import * as v from 'valibot';
import type { McpTool } from '../../environment/mcp-view.ts';
import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';

/** Members of records from which an agent decides nothing: a key has one project, and lists have their order. */
const seldomRead = new Set(['projectId', 'createdAt', 'updatedAt']);

/** Whether MCP shows a member of a record: always, never, or unless it is null. */
type Shown = 'always' | 'never' | 'unlessNull';

function shownOnMcp({ mcp: { keeps = [] } }: McpTool, name: string): Shown {
  if (keeps.includes(name)) return 'always';
  return seldomRead.has(name) ? 'never' : 'unlessNull';
}

/**
 * A value as MCP shows it: if it is a record, or a list of records, without the members that say nothing. `brief` of a tool
 * replaces this.
 */
export function leanValue(tool: McpTool, value: JsonObject): JsonObject {
  const { pages, brief } = tool.mcp;
  if (brief) return value;
  const items = pages && value[pages.items];
  if (!pages || !Array.isArray(items)) return recordEntries(tool) ? leanRecord(tool, value) : value;
  return {
    ...value,
    [pages.items]: items.map((item: unknown) => (isJsonObject(item) ? leanRecord(tool, item) : item)),
  };
}

function leanRecord(tool: McpTool, record: JsonObject): JsonObject {
  const shown = Object.entries(record).filter(([name, member]) => {
    const how = shownOnMcp(tool, name);
    return how === 'always' || (how === 'unlessNull' && member !== null);
  });
  return Object.fromEntries(shown);
}

/** The members of a tool's output that MCP never shows, and those that it leaves out if they are null. */
export function leftOutOnMcp(tool: McpTool): {
  readonly never: readonly string[];
  readonly ifNull: readonly string[];
} {
  const entries = Object.entries(recordEntries(tool) ?? {});
  const named = (how: Shown) => entries.filter(([name]) => shownOnMcp(tool, name) === how);
  return {
    never: named('never').map(([name]) => name),
    ifNull: named('unlessNull').flatMap(([name, entry]) => (v.safeParse(entry, null).success ? [name] : [])),
  };
}

/** The members of the record that an operation returns; undefined if it returns something else, which has no id. */
function recordEntries({ output }: McpTool): Readonly<Record<string, v.GenericSchema>> | undefined {
  if (!('entries' in output)) return undefined;
  const entries = output.entries as Readonly<Record<string, v.GenericSchema>>;
  return 'id' in entries ? entries : undefined;
}
