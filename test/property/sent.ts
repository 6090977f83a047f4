import type { McpTool } from '../../src/environment/mcp-view.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { inputSchemas } from '../../src/operation/json-schema.ts';
import type { Issue } from '../../src/platform/errors.ts';
import { bodyOf, type Input, partsOf } from '../contract/rest-request.ts';
import { formParts, type RestRequest } from './rest-request.ts';

/** The content of a request that a server can read, by the parts that an issue's `in` can name. */
export type SentParts = Readonly<Record<Issue['in'], unknown>>;

/** Parses a request into its parts, independently of the server. */
export function sentParts(tool: McpTool, { target, body, input }: RestRequest): SentParts {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const segments = path.split('/');
  const params = tool.rest.path.split('/').flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [[name, decoded(segments[index] ?? '')] as const];
  });
  return {
    params: Object.fromEntries(params),
    querystring: Object.fromEntries(
      [...new URLSearchParams(ignoresQuery(tool) ? '' : search)].map(([name, text]) => [
        name,
        isList(tool, name) ? text.split(',') : text,
      ]),
    ),
    body: body?.length ? (typeof body === 'string' ? parsed(body) : formMembers(tool, input)) : {},
  };
}

/** True for health, voices and models. */
function ignoresQuery({ envelope, access }: McpTool): boolean {
  return envelope === 'detail' || access === 'none';
}

/** True if an input is a list. A query carries it as one text with commas. */
function isList(tool: McpTool, name: string): boolean {
  return inputSchemas(tool).properties[name]?.['type'] === 'array';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the members of an input that a form carries, as texts. */
function formMembers(tool: McpTool, input: Input): Record<string, unknown> {
  const parts = formParts(tool, bodyOf(tool, partsOf(tool, input)) ?? {});
  // A file may contain any bytes, so its content never counts.
  return Object.fromEntries(
    parts.map(([name, content]) => [name, name === tool.file ? '' : content.toString()]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the segments of a JSON pointer (RFC 6901), or undefined if the text is not one. */
export function segmentsOf(pointer: string): string[] | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)*$/s.test(pointer)) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** True if a pointer leads to a value in a document, or to a missing member of one. */
export function resolvesIn(document: unknown, pointer: string): boolean {
  const segments = segmentsOf(pointer);
  if (!segments) return false;
  let at = document;
  return segments.every((segment, index) => {
    if (typeof at !== 'object' || at === null) return false;
    const there = Object.hasOwn(at, segment);
    at = (at as Record<string, unknown>)[segment];
    return there || index === segments.length - 1;
  });
}

const deepestAccepted = 64;

/** True if a JSON value contains what no operation may accept. Deliberately independent of the server's check. */
export function isUnacceptable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return /\0|\p{Surrogate}/u.test(value);
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) >= 2 ** 53);
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= deepestAccepted) return true;
  return Object.entries(value).some(
    ([name, member]) =>
      (!Array.isArray(value) && (name === '__proto__' || isUnacceptable(name))) ||
      isUnacceptable(member, depth + 1),
  );
}

/** True if a request carries such a value in a place that its operation reads. */
export function carriesUnacceptable(tool: McpTool, { params, querystring, body }: SentParts): boolean {
  const read = Object.entries(isJsonObject(body) ? body : {}).filter(([name]) => isRead(tool, name));
  return [params, querystring, Object.fromEntries(read)].some((part) => isUnacceptable(part));
}

/** False for a member of a body that is ignored, or that goes on to a model as it was sent. */
function isRead(tool: McpTool, name: string): boolean {
  const { special, input } = tool;
  if (special.ignoredMembers?.includes(name)) return false;
  if (!special.passedOn) return true;
  return Object.hasOwn(input.entries, name) && !special.passedOn.includes(name);
}
