import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { placeOf } from '../../src/operation/input.ts';
import { bodyOf, type Input, partsOf } from '../contract/rest-request.ts';
import { arbitraryInput } from './arbitrary-input.ts';
import type { Fixture } from './fixture.ts';

/** A request without its credential. `input` has the members that the request carries. */
export interface RestRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  readonly input: Input;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const headerText = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,40}$/);
const contentTypes = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  '',
];
const wire = fc.record({
  contentType: often(undefined, fc.oneof(fc.constantFrom(...contentTypes), headerText)),
  idempotencyKey: often(undefined, fc.oneof(fc.constantFrom('a', 'b'), headerText, fc.uuid())),
  requestId: often(undefined, headerText),
  query: often<string[], string[]>(
    [],
    fc.array(fc.constantFrom('twice', 'unknown', 'limit=1&limit=2', '%zz=1', 'a=%ff', '&&', '__proto__=1')),
  ),
  path: often('', fc.constantFrom('%zz', '%', '%ff', '%00', '%2F', '/', ';a=b', '%ED%A0%80')),
  body: often('whole' as const, fc.constantFrom('none', 'cut', 'listed', 'number', 'null', 'comma', 'empty')),
});
type Wire = typeof wire extends fc.Arbitrary<infer Value> ? Value : never;

/** Generates `usual` most of the time, so that the rest of the request decides the outcome. */
function often<Usual, Other>(usual: Usual, other: fc.Arbitrary<Other>): fc.Arbitrary<Usual | Other> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}

/** Generates requests of an operation. Most headers, paths and queries are well-formed. */
export function arbitraryRequest(fixture: Fixture): fc.Arbitrary<RestRequest> {
  return fc.tuple(arbitraryInput(fixture), wire).map(([input, wire]) => toRequest(fixture.tool, input, wire));
}

function toRequest(tool: McpTool, input: Input, wire: Wire): RestRequest {
  const parts = partsOf(tool, input);
  const body = bodyOf(tool, parts);
  const text =
    body &&
    (tool.file === undefined
      ? bodyText(jsonText(body), wire.body)
      : formBytes(formParts(tool, body), wire.body));
  return {
    method: tool.rest.method,
    target: targetOf(tool, parts.params, parts.querystring, wire),
    headers: {
      ...(text !== undefined && {
        'content-type': wire.contentType ?? (tool.file === undefined ? 'application/json' : formType),
      }),
      ...(wire.idempotencyKey !== undefined && { 'idempotency-key': wire.idempotencyKey }),
      ...(wire.requestId !== undefined && { 'x-request-id': wire.requestId }),
    },
    body: text,
    input: text?.length ? input : withoutBody(tool, input),
  };
}

const formType = 'multipart/form-data; boundary=end-of-part';

/** Returns the parts of a form: each member as text, and the file as bytes, decoded from base64. */
export function formParts(tool: McpTool, body: Input): [name: string, content: Buffer][] {
  return Object.entries(body).flatMap(([name, value]): [string, Buffer][] => {
    if (name === tool.file) return [[name, Buffer.from(typeof value === 'string' ? value : '', 'base64')]];
    const texts = Array.isArray(value) ? value : [value];
    return texts.map((text) => [
      name.replaceAll(/["\\\r\n]/g, '_').toWellFormed(),
      Buffer.from(typeof text === 'string' ? text : (JSON.stringify(text) ?? '')),
    ]);
  });
}

function formBytes(parts: [name: string, content: Buffer][], damage: Wire['body']): Buffer | undefined {
  if (damage === 'none') return undefined;
  if (damage === 'empty') return Buffer.alloc(0);
  const bytes = Buffer.concat([
    ...parts.flatMap(([name, content]) => [
      Buffer.from(`--end-of-part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--end-of-part--\r\n'),
  ]);
  return damage === 'whole' ? bytes : bytes.subarray(0, -8);
}

function withoutBody(tool: McpTool, input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => placeOf(tool, name) !== 'body'));
}

/** Returns JSON text. An infinite number becomes a number that is too large for a double. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    member === Infinity || member === -Infinity ? `${tooLarge}${member}` : member,
  );
  return text.replaceAll(`"${tooLarge}Infinity"`, '1e400').replaceAll(`"${tooLarge}-Infinity"`, '-1e400');
}

const tooLarge = 'a number of the property suite: ';

function bodyText(text: string, damage: Wire['body']): string | undefined {
  switch (damage) {
    case 'whole':
      return text;
    case 'none':
      return undefined;
    case 'cut':
      return text.slice(0, -1);
    case 'listed':
      return `[${text}]`;
    case 'number':
      return '7';
    case 'null':
      return 'null';
    case 'comma':
      return `${text},`;
    case 'empty':
      return '';
  }
}

function targetOf(
  tool: McpTool,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
  wire: Wire,
): string {
  const path = tool.rest.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const more = wire.query.map((text) => (text === 'twice' ? (pairs[0] ?? 'a=1&a=1') : text));
  const search = [...pairs, ...more].join('&');
  return `${path}${wire.path}${search ? `?${search}` : ''}`;
}

/** Encodes a value for a URL, which cannot contain a lone surrogate. */
function encoded(value: unknown): string {
  // A list of texts is one text with commas.
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = typeof value === 'string' ? value : isTexts ? value.join() : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
}

/** Returns a client of one server that keeps its connections open. */
export function restClient(base: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(base);
  return {
    send({ method, target, headers, body }: RestRequest, key: string): Promise<RestAnswer> {
      return new Promise((resolve, reject) => {
        const outgoing = httpRequest({
          agent,
          hostname,
          port,
          method,
          path: target,
          headers: {
            ...headers,
            authorization: `Bearer ${key}`,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
          signal: AbortSignal.timeout(15_000),
        });
        outgoing.once('error', reject);
        outgoing.once('response', (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => void parts.push(part));
          incoming.once('error', reject);
          incoming.once('end', () => {
            const text = Buffer.concat(parts).toString();
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
          });
        });
        outgoing.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
