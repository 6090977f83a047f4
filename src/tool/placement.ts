import type * as v from 'valibot';
import type { Issue } from '../errors.ts';
import { jsonPointer } from '../errors.ts';
import type { Tool } from './define.ts';
import { type Given, hasBody, keepsUnknown, restName, unknownMember } from './input.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject } from './result.ts';

/** The parts of a REST request, read but not yet checked. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body, `undefined` where there is none. */
  readonly body: unknown;
  /** What was wrong with reading them: not JSON, a broken percent escape. */
  readonly issues: readonly Issue[];
}

/** Gathers the inputs of an operation from where its definition places them, and tells what is left over. */
export function gather(tool: Tool, parts: RequestParts): Given {
  const value: JsonObject = {};
  const issues: Issue[] = [...parts.issues];
  const queryNames = new Set<string>();
  const bodyNames = new Set<string>();
  const body = readBody(tool, parts, issues);
  for (const [name, placement] of Object.entries(tool.rest.from)) {
    if (placement === 'body') {
      bodyNames.add(name);
      if (Object.hasOwn(body, name)) value[name] = body[name];
    } else if (placement === 'query') {
      queryNames.add(name);
      const texts = parts.query.getAll(name);
      if (texts.length > 1)
        issues.push({ in: 'querystring', path: jsonPointer([name]), message: 'Is given more than once.' });
      if (texts[0] !== undefined) value[name] = fromText(tool.input.entries[name], texts[0]);
    } else {
      const text = parts.params[restName(tool, name)];
      if (text !== undefined) value[name] = fromText(tool.input.entries[name], text);
    }
  }
  if (!keepsUnknown(tool))
    for (const name of new Set(parts.query.keys()))
      if (!queryNames.has(name)) issues.push(unknown('querystring', name, queryNames));
  for (const name of Object.keys(body)) {
    if (bodyNames.has(name) || tool.rest.ignoredMembers.includes(name)) continue;
    if (keepsUnknown(tool)) value[name] = body[name];
    else issues.push(unknown('body', name, bodyNames));
  }
  return { value, issues };
}

/** The body as an object; what is none becomes an issue, and nothing at all an empty one. */
function readBody(tool: Tool, parts: RequestParts, issues: Issue[]): JsonObject {
  if (!hasBody(tool) || parts.body === undefined) return {};
  if (isJsonObject(parts.body)) return parts.body;
  issues.push({ in: 'body', path: '', message: 'Expected a JSON object.' });
  return {};
}

function unknown(place: Issue['in'], name: string, known: ReadonlySet<string>): Issue {
  return { in: place, path: jsonPointer([name]), message: unknownMember([...known]) };
}

/** A path or query text as what its schema wants; what does not convert stays text, for the schema to refuse. */
function fromText(schema: unknown, text: string): unknown {
  switch (baseType(schema as v.GenericSchema)) {
    case 'number':
      return /^-?(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text === '' ? [] : text.split(',');
    default:
      return text;
  }
}

/** The type of a schema below `optional` and `nullable`. */
function baseType(schema: v.GenericSchema): string {
  return 'wrapped' in schema ? baseType(schema.wrapped as v.GenericSchema) : schema.type;
}
