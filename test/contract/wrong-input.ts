import * as v from 'valibot';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { placeOf } from '../../src/operation/input.ts';
import type { Issue } from '../../src/platform/errors.ts';
import { type Input, partsOf } from './rest-request.ts';

/** An input that an operation must refuse, and the names that its issues must mention. */
export interface WrongInput {
  readonly input: Input;
  readonly refused: readonly string[];
}

/** The first is too long for a name, which MCP takes in place of an id. */
const wrongTexts = ['!'.repeat(201), 'x'.repeat(10_001)];
const wrongValues = [7, '', false, null, [], {}, [7], 'x'.repeat(10_001)];

/** Makes every input wrong. Omits an input that accepts any value, which is wrong if it is required. */
export function everythingWrong(tool: McpTool): WrongInput {
  return wrongInput(tool, (name, entry) => wrongValueOf(tool, name, entry));
}

/** Omits every input except those in the path, which it makes wrong. */
export function everythingMissing(tool: McpTool): WrongInput {
  return wrongInput(tool, (name, entry) =>
    placeOf(tool, name) === 'params' ? wrongValueOf(tool, name, entry) : undefined,
  );
}

function wrongInput(tool: McpTool, valueFor: (name: string, entry: v.GenericSchema) => unknown): WrongInput {
  const given = entriesOf(tool).map(([name, entry]) => ({ name, entry, value: valueFor(name, entry) }));
  const isLacking = (name: string, value: unknown) => value === undefined && name === tool.special.uploadInto;
  const refused = given
    .filter(({ name, entry, value }) => refuses(entry, value) || isLacking(name, value))
    .map(({ name }) => name);
  return { input: Object.fromEntries(given.map(({ name, value }) => [name, value])), refused };
}

/** Returns the inputs that REST takes too. */
function entriesOf({ input, rest: { omitsInputs } }: McpTool): [string, v.GenericSchema][] {
  const entries = Object.entries(input.entries) as [string, v.GenericSchema][];
  return entries.filter(([name]) => !omitsInputs.includes(name));
}

/** Returns a value that the schema refuses and that REST can carry in the place of the input. */
function wrongValueOf(tool: McpTool, name: string, entry: v.GenericSchema): unknown {
  // REST accepts any bytes as a file, but not an empty one.
  if (name === tool.file) return '';
  if (placeOf(tool, name) === 'body' && tool.file === undefined)
    return wrongValues.find((value) => refuses(entry, value));
  const isList = isListSchema(entry);
  const value = wrongTexts.map((text) => (isList ? [text] : text)).find((one) => refuses(entry, one));
  return value ?? (placeOf(tool, name) === 'params' ? wrongTexts[0] : undefined);
}

function isListSchema(entry: v.GenericSchema): boolean {
  const { wrapped = entry } = entry as { readonly wrapped?: v.GenericSchema };
  return wrapped.type === 'array';
}

/** Returns the required inputs only. A list then shows its first page, of the default size. */
export function onlyRequired(tool: McpTool, input: Input): Input {
  const required = entriesOf(tool).filter(
    ([name, entry]) => placeOf(tool, name) === 'params' || refuses(entry, undefined),
  );
  const least = Object.fromEntries(required.map(([name]) => [name, input[name]]));
  const isTooLittle = (tool.check?.(least as never) ?? []).length > 0;
  return isTooLittle ? input : least;
}

/** True if an input refuses a value. `undefined` stands for a missing member. */
function refuses(entry: v.GenericSchema, value: unknown): boolean {
  return !v.safeParse(v.object({ value: entry }), value === undefined ? {} : { value }).success;
}

/** Returns the inputs that issues are about, by REST's names or the tool's. */
export function namesIn(issues: readonly Issue[]): string[] {
  return [...new Set(issues.map(({ path }) => segmentsOf(path)[0] ?? ''))];
}

/** True if the pointer (RFC 6901) of an issue leads to a value that was sent, or to a missing member. */
export function resolves(tool: McpTool, input: Input, issue: Issue): boolean {
  const last = segmentsOf(issue.path).length;
  let at: unknown = partsOf(tool, input)[issue.in];
  return segmentsOf(issue.path).every((segment, index) => {
    if (typeof at !== 'object' || at === null) return false;
    const there = Object.hasOwn(at, segment);
    at = (at as Record<string, unknown>)[segment];
    return there || index + 1 === last;
  });
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
