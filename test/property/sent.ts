import type { Issue } from '../../src/errors.ts';
import type { Tool } from '../../src/tool/define.ts';
import { keepsUnknown } from '../../src/tool/input.ts';
import { isJsonObject } from '../../src/tool/json.ts';
import { inputSchemas } from '../../src/tool/json-schema.ts';
import { bodyOf, type Input, partsOf } from '../contract/rest-request.ts';
import { formParts, type RestRequest } from './rest-request.ts';

/** What a server could read of a request, in the parts that an issue's `in` can name. */
export type SentParts = Readonly<Record<Issue['in'], unknown>>;

/** The parts of a request, read anew from its bytes. */
export function sentParts(tool: Tool, { target, body, input }: RestRequest): SentParts {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const segments = path.split('/');
  const params = tool.rest.path.split('/').flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [[name, decoded(segments[index] ?? '')] as const];
  });
  return {
    params: Object.fromEntries(params),
    querystring: Object.fromEntries(
      // What passes on unknown members does not look at a query either.
      [...new URLSearchParams(keepsUnknown(tool) ? '' : search)].map(([name, text]) => [
        name,
        isList(tool, name) ? text.split(',') : text,
      ]),
    ),
    body: body?.length ? (typeof body === 'string' ? parsed(body) : formMembers(tool, input)) : {},
  };
}

/** A list stands in a query as one text, with commas. */
function isList(tool: Tool, name: string): boolean {
  return inputSchemas(tool).properties[name]?.['type'] === 'array';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a form has of an input, which stands in it as texts. */
function formMembers(tool: Tool, input: Input): Record<string, unknown> {
  const parts = formParts(tool, bodyOf(tool, partsOf(tool, input)) ?? {});
  // A file may hold anything.
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

/** The segments of a JSON pointer; undefined where the text is none (RFC 6901). */
export function segmentsOf(pointer: string): string[] | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)*$/s.test(pointer)) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** True where a pointer leads to something in a document, or to where something is missing. */
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

/** True where a JSON value holds what no operation may take: said here once more, apart from the product. */
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

/** True where a request carries such a value in a place that its operation reads. */
export function carriesUnacceptable(tool: Tool, { params, querystring, body }: SentParts): boolean {
  const read = isJsonObject(body)
    ? Object.entries(body).filter(([name]) => !tool.special.ignoredMembers?.includes(name))
    : [];
  const query = keepsUnknown(tool) ? {} : querystring;
  return [params, query, Object.fromEntries(read)].some((part) => isUnacceptable(part));
}
