import type { Issue } from '../errors.ts';
import { jsonPointer } from '../errors.ts';
import type { Tool } from '../tool/define.ts';
import { placeOf, type RawInput } from '../tool/input.ts';
import { isJsonObject } from '../tool/json.ts';
import { inclusion } from '../tool/json-schema.ts';
import type { JsonObject } from '../tool/result.ts';

/** Bytes. Hosts refuse results near 25,000 tokens, so Parley's are shorter (docs/mcp.md). */
const maximumBytes = 40_000;

/** The arguments of a call as the operation's input, with the rules that only MCP has. */
export function inputOf(tool: Tool, sent: JsonObject): RawInput & { readonly included: boolean } {
  const { mcp } = tool;
  const name = mcp.leavesOut === undefined ? undefined : inclusion(mcp.leavesOut);
  const issues: Issue[] = [];
  const refuse = (input: string, message: string) =>
    issues.push({ in: placeOf(tool, input), path: jsonPointer([input]), message });
  for (const input of mcp.required ?? []) if (!Object.hasOwn(sent, input)) refuse(input, 'Is required.');
  if (name === undefined || !Object.hasOwn(sent, name)) return { value: sent, issues, included: false };
  const { [name]: included, ...value } = sent;
  if (typeof included !== 'boolean') refuse(name, 'Expected boolean.');
  return { value, issues, included: included === true };
}

/** A value with its JSON text, so that it is serialised once. */
export interface Published {
  readonly value: unknown;
  readonly json: string;
}

/** The value as MCP publishes it: without a member that the call did not ask for, and short enough for a host. */
export function publishedValue(
  { mcp }: Tool,
  { value, json = JSON.stringify(value) }: { readonly value: unknown; readonly json?: string | undefined },
  input: JsonObject,
  included: boolean,
): Published {
  const { leavesOut, pages, shorten } = mcp;
  const isShort = Buffer.byteLength(json) <= maximumBytes;
  if (leavesOut !== undefined && isJsonObject(value)) {
    if (included && isShort) return { value, json };
    const { [leavesOut]: _, ...rest } = value;
    return serialised(rest);
  }
  if (isShort) return { value, json };
  if (pages && isJsonObject(value)) return serialised(cutPage(value, pages));
  return shorten ? serialised(shorten(value, input)) : { value, json };
}

function serialised(value: unknown): Published {
  return { value, json: JSON.stringify(value) };
}

/** Cuts a page between two items; it keeps at least the first. */
function cutPage(page: JsonObject, { items, cursor }: { items: string; cursor: string }): JsonObject {
  const kept: JsonObject[] = [];
  let bytes = 0;
  for (const item of page[items] as JsonObject[]) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > maximumBytes && kept.length > 0) break;
    kept.push(item);
  }
  if (kept.length === (page[items] as JsonObject[]).length) return page;
  return { ...page, [items]: kept, nextCursor: String(kept.at(-1)?.[cursor]) };
}
