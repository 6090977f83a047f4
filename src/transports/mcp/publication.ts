import type { McpTool } from '../../environment/mcp-view.ts';
import { keepsUnknown, placeOf, type RawInput } from '../../operation/input.ts';
import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';
import { unknownMember } from '../../operation/structure.ts';
import type { Issue } from '../../platform/errors.ts';
import { jsonPointer } from '../../platform/errors.ts';
import { leanValue } from './lean.ts';
import { detailsInput, impliedInput } from './schemas.ts';

/** Bytes. Hosts refuse results near 25,000 tokens, so Parley's are shorter (docs/mcp.md). */
const maximumBytes = 40_000;

/** What other tools and agents call the number of a version. */
const versionNames = new Set(
  ['n', 'number', 'versionNumber', 'versionId', 'baseVersion', 'base', 'against'].map(plain),
);

/** A name without the conventions of its writer: `base_version` as `baseversion`. */
function plain(name: string): string {
  return name.replaceAll(/[^a-z]/gi, '').toLowerCase();
}

/** The arguments of a call as the operation's input, with the rules that only MCP has. */
export function inputOf(
  tool: McpTool,
  sent: JsonObject,
  projectId: string | undefined,
): RawInput & { readonly included: boolean } {
  const { mcp } = tool;
  const shown = new Set(Object.keys(tool.input.entries));
  const issues: Issue[] = [];
  const refuse = (name: string, message: string) =>
    issues.push({ in: placeOf(tool, name), path: jsonPointer([name]), message });
  // fromEntries, unlike assignment, makes an own member even of "__proto__", so that it can be refused.
  const entries: [name: string, value: unknown][] = Object.entries(mcp.implied ?? {});
  if (shown.has(impliedInput) && projectId !== undefined) entries.push([impliedInput, projectId]);
  let included = false;
  for (const [name, value] of Object.entries(sent)) {
    const asksForDetails = mcp.leavesOut !== undefined && name === detailsInput;
    // The operation returns them in any case.
    if (asksForDetails && typeof value === 'boolean') included = value;
    else if (shown.has(name) || keepsUnknown(tool)) entries.push([name, value]);
    else refuse(name, asksForDetails ? 'Expected boolean.' : unknownInput(tool, name, shown));
  }
  for (const name of mcp.required ?? []) if (!Object.hasOwn(sent, name)) refuse(name, 'Is required.');
  return { value: Object.fromEntries(entries), issues, included };
}

function unknownInput({ mcp: { implied = {} } }: McpTool, name: string, shown: ReadonlySet<string>): string {
  if (shown.has('version') && versionNames.has(plain(name)))
    return 'Is not known here: the number of a version is called version.';
  return unknownMember(
    [...shown].filter((other) => other !== impliedInput && !Object.hasOwn(implied, other)),
  );
}

/** A value with its JSON text, so that it is serialised once. */
export interface Published {
  readonly value: unknown;
  readonly json: string;
}

/** The value as MCP publishes it: by its names, with warnings, without what the call did not ask for, and short enough for a host. */
export function publishedValue(
  tool: McpTool,
  { value, json }: { readonly value: unknown; readonly json?: string | undefined },
  input: JsonObject,
  included: boolean,
  linkTo: (value: JsonObject) => string | undefined = () => undefined,
): Published {
  const { mcp } = tool;
  const { leavesOut, pages, shorten, warn } = mcp;
  const text = json ?? JSON.stringify(value);
  const whole: Published = { value, json: text };
  if (!isJsonObject(value)) return isShort(text) || !shorten ? whole : serialised(shorten(value, input));
  const lean = leanValue(tool, value);
  const leaner =
    leavesOut === undefined || (included && (isShort(text) || pages)) ? lean : without(tool, lean);
  const warnings = warn?.(value, input) ?? [];
  const told =
    warnings.length > 0
      ? { ...leaner, warnings: [...((leaner['warnings'] as object[] | undefined) ?? []), ...warnings] }
      : leaner;
  const link = linkTo(value);
  const linked = link === undefined ? told : { ...told, link };
  const shown = linked === value ? whole : serialised(linked);
  const fitting = isShort(shown.json) ? shown : shortened(tool, shown, input);
  return named(
    tool,
    mcp.brief ? serialised(mcp.brief(fitting.value as JsonObject, input, included)) : fitting,
  );
}

function isShort(json: string): boolean {
  return Buffer.byteLength(json) <= maximumBytes;
}

/** Without the members that are left out, of the value or of each item of a list. */
function without({ mcp: { leavesOut = [], pages } }: McpTool, value: JsonObject): JsonObject {
  const lean = (one: JsonObject) =>
    leavesOut.reduce((rest, member) => withoutMember(rest, member.split('.')), one);
  return pages ? { ...value, [pages.items]: (value[pages.items] as JsonObject[]).map(lean) } : lean(value);
}

/** Without the member at this place; `*` stands for every member. */
function withoutMember(value: JsonObject, [name = '', ...within]: readonly string[]): JsonObject {
  const entries = Object.entries(value).flatMap(([key, member]) => {
    if (name !== key && name !== '*') return [[key, member] as const];
    if (within.length === 0) return [];
    return [[key, isJsonObject(member) ? withoutMember(member, within) : member] as const];
  });
  return Object.fromEntries(entries);
}

function shortened({ mcp: { pages, shorten } }: McpTool, shown: Published, input: JsonObject): Published {
  if (pages) return serialised(cutPage(shown.value as JsonObject, pages));
  return shorten ? serialised(shorten(shown.value, input)) : shown;
}

/** A list by the names that MCP uses for members of its items. */
function named({ mcp: { pages } }: McpTool, shown: Published): Published {
  if (!pages?.names) return shown;
  const { items, names } = pages;
  const renamed = (item: JsonObject) =>
    Object.fromEntries(Object.entries(item).map(([name, member]) => [names[name] ?? name, member]));
  const list = shown.value as JsonObject;
  return serialised({ ...list, [items]: (list[items] as JsonObject[]).map(renamed) });
}

function serialised(value: unknown): Published {
  return { value, json: JSON.stringify(value) };
}

/** Cuts a page between two items; it keeps at least the first. */
function cutPage(
  page: JsonObject,
  { items, cursor, prefix = '' }: NonNullable<McpTool['mcp']['pages']>,
): JsonObject {
  const kept: JsonObject[] = [];
  let bytes = 0;
  for (const item of page[items] as JsonObject[]) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > maximumBytes && kept.length > 0) break;
    kept.push(item);
  }
  if (kept.length === (page[items] as JsonObject[]).length) return page;
  return { ...page, [items]: kept, nextCursor: `${prefix}${String(kept.at(-1)?.[cursor])}` };
}
