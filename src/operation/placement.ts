import type * as v from 'valibot';
import type { Issue } from '../platform/errors.ts';
import { jsonPointer, mostProblems } from '../platform/errors.ts';
import type { FormField } from './context.ts';
import type { Tool } from './define.ts';
import { hasBody, keepsUnknown, type RawInput, restName } from './input.ts';
import { isJsonObject } from './json.ts';
import { numberOrWordOf } from './number-or-word.ts';
import type { JsonObject } from './result.ts';
import { unknownMember } from './structure.ts';

/** The parts of a REST request, read but not yet checked. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined if there is none. */
  readonly body: unknown;
  /** Issues found while reading: not JSON, a broken percent escape. */
  readonly issues: readonly Issue[];
  /** The body as it was sent. */
  readonly bytes?: Buffer | undefined;
  /** The text fields of a form, as they were sent. */
  readonly fields?: readonly FormField[] | undefined;
}

/** Collects the inputs of an operation from where its definition places them; anything left over becomes an issue. */
export function gather(tool: Tool, parts: RequestParts): RawInput {
  const entries: [name: string, value: unknown][] = [];
  const issues: Issue[] = [...parts.issues];
  const body = readBody(tool, parts, issues);
  const { queryNames, bodyNames, pathNames } = placesOf(tool);
  for (const name of queryNames) {
    const texts = parts.query.getAll(name);
    if (texts.length > 1)
      issues.push({ in: 'querystring', path: jsonPointer([name]), message: 'Is given more than once.' });
    if (texts[0] !== undefined) entries.push([name, textAs(tool, name, texts[0])]);
  }
  for (const name of pathNames) {
    const text = parts.params[restName(tool, name)];
    if (text !== undefined) entries.push([name, textAs(tool, name, text)]);
  }
  for (const [name, member] of Object.entries(body)) {
    if (bodyNames.includes(name)) entries.push([name, parts.fields ? asInput(tool, name, member) : member]);
    // An input of the path or the query is never taken from the body.
    else if (keepsUnknown(tool)) {
      if (!Object.hasOwn(tool.rest.from, name)) entries.push([name, member]);
    } else if (issues.length < mostProblems && !tool.special.ignoredMembers?.includes(name))
      issues.push(unknown('body', name, bodyNames));
  }
  if (!ignoresUnknownQuery(tool) && parts.query.size > 0)
    for (const name of new Set(parts.query.keys()))
      if (issues.length < mostProblems && !queryNames.includes(name))
        issues.push(unknown('querystring', name, queryNames));
  // fromEntries, unlike assignment, makes an own member even of "__proto__", so that it can be refused.
  return {
    value: Object.fromEntries(entries),
    issues,
    ...(keepsUnknown(tool) && { bytes: parts.bytes, fields: parts.fields }),
  };
}

/** True for health, voices and models, whose unknown query parameters are ignored (`decisions#members`). */
function ignoresUnknownQuery(tool: Tool): boolean {
  return tool.envelope === 'detail' || tool.access === 'none';
}

/** The inputs of an operation by their place. */
interface Places {
  readonly queryNames: readonly string[];
  readonly bodyNames: readonly string[];
  readonly pathNames: readonly string[];
}

const placesByTool = new WeakMap<Tool, Places>();

/** Computed once for each operation. */
function placesOf(tool: Tool): Places {
  const known = placesByTool.get(tool);
  if (known) return known;
  const names = Object.keys(tool.rest.from);
  const queryNames = names.filter((name) => tool.rest.from[name] === 'query');
  const bodyNames = names.filter((name) => tool.rest.from[name] === 'body');
  const pathNames = names.filter((name) => tool.rest.from[name]?.startsWith('path'));
  const places = { queryNames, bodyNames, pathNames };
  placesByTool.set(tool, places);
  return places;
}

/** A member of a form: everything but a file is text. */
function asInput(tool: Tool, name: string, member: unknown): unknown {
  return typeof member === 'string' ? textAs(tool, name, member) : member;
}

/** The body as an object, empty if there is none; any other JSON becomes an issue. */
function readBody(tool: Tool, parts: RequestParts, issues: Issue[]): JsonObject {
  if (!hasBody(tool) || parts.body === undefined) return {};
  if (isJsonObject(parts.body)) return parts.body;
  issues.push({ in: 'body', path: '', message: 'Expected a JSON object.' });
  return {};
}

function unknown(place: Issue['in'], name: string, known: readonly string[]): Issue {
  return { in: place, path: jsonPointer([name]), message: unknownMember(known) };
}

/** A text as the value of an input, converted if the input's schema wants another type. */
export function textAs({ input }: Tool, name: string, text: string): unknown {
  return fromText(input.entries[name], text);
}

/** Text that does not convert stays text, for the schema to refuse. */
function fromText(schema: unknown, text: string): unknown {
  switch (baseType(schema as v.GenericSchema)) {
    case 'number':
      return /^-?(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text === '' ? [] : text.split(',');
    case 'strict_object':
      return fromJson(text);
    default:
      return text;
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The type of a schema below `optional` and `nullable`. */
function baseType(schema: v.GenericSchema): string {
  if (numberOrWordOf(schema)) return 'number';
  return 'wrapped' in schema ? baseType(schema.wrapped as v.GenericSchema) : schema.type;
}
