import { expect } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { placeOf } from '../../src/operation/input.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { type ErrorCode, errorStatus, type Issue } from '../../src/platform/errors.ts';
import {
  type McpClient,
  type McpToolResult,
  mcpTransports,
  type RestAnswer,
  type World,
} from '../helpers/world.ts';
import { bodyOf, formOf, type Input, partsOf, routeOf } from './rest-request.ts';

/** Every way to call an operation. */
export const doorNames = ['REST', ...mcpTransports] as const;
export type DoorName = (typeof doorNames)[number];

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly requestId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The outcome of a call, in the same form for every door. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: ErrorBody;
  /** MCP only. */
  readonly hint?: string;
  /** MCP only, if there are several. */
  readonly problems?: unknown;
  /** REST only. */
  readonly status?: number;
}

/** One door, with one key. Each call also asserts that the response has the form that the transport promises. */
export interface Door {
  readonly name: DoorName;
  call(tool: McpTool, input: Input, idempotencyKey?: string): Promise<Outcome>;
}

export async function openDoor(world: World, name: DoorName, key?: string): Promise<Door> {
  if (name === 'REST') return restDoor(world, key);
  const client = await world.mcp(name, key ?? '');
  // After listTools, the client validates each result against its outputSchema.
  await client.listTools();
  return mcpDoor(name, client);
}

/** Opens every door with the same key. */
export function openDoors(world: World, key: string): Promise<Door[]> {
  return Promise.all(doorNames.map((name) => openDoor(world, name, key)));
}

function restDoor(world: World, key: string | undefined): Door {
  return {
    name: 'REST',
    async call(tool, input, idempotencyKey) {
      const parts = partsOf(tool, input);
      const body = bodyOf(tool, parts);
      const answer = await world.rest(tool.rest.method, routeOf(tool, parts), {
        key,
        body: body && tool.file !== undefined ? formOf(tool, body) : body,
        ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
      });
      return restOutcome(tool, answer);
    },
  };
}

function restOutcome(tool: McpTool, { status, headers, body }: RestAnswer): Outcome {
  const contentType = headers.get('content-type') ?? '';
  const answersBytes = status < 400 && tool.output.type === 'never';
  if (answersBytes) return { status, value: { contentType, text: body } };
  expect(contentType, `${tool.name} returns JSON`).toMatch(/^application\/json/);
  if (status < 400) return { status, value: body };
  const requestId = headers.get('x-request-id') ?? '';
  expect(requestId).not.toBe('');
  if (tool.envelope === 'detail' && status === 422) return { status, error: fromDetail(body, requestId) };
  expect(body).toEqual({ error: errorForm });
  expect(body.error.requestId, 'x-request-id is error.requestId').toBe(requestId);
  return { status, error: body.error };
}

/** Matches the members of `service-api#errors` and no others. `details` is optional. */
const errorForm = expect.toSatisfy((error: Record<string, unknown>) => {
  const { code, message, requestId, details, ...more } = error;
  return (
    Object.hasOwn(errorStatus, String(code)) &&
    [message, requestId].every((text) => typeof text === 'string' && text !== '') &&
    (details === undefined || (typeof details === 'object' && details !== null)) &&
    Object.keys(more).length === 0
  );
}, 'is an error of the closed list with message and requestId, and nothing else but details');

const placeOfLocation: Readonly<Record<string, Issue['in']>> = {
  body: 'body',
  path: 'params',
  query: 'querystring',
};

/** Converts the `detail` envelope of voices and the model proxy back into issues. */
function fromDetail(body: unknown, requestId: string): ErrorBody {
  const { detail } = body as { detail: { loc: [string, ...(string | number)[]]; msg: string }[] };
  const issues = detail.map(({ loc: [place, ...path], msg }) => ({
    in: placeOfLocation[place],
    path: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: msg,
  }));
  return { code: 'invalid_request', message: '', requestId, details: { issues } };
}

function mcpDoor(name: DoorName, client: McpClient): Door {
  return {
    name,
    async call(tool, input, idempotencyKey) {
      const result = await client.callTool({
        name: tool.name,
        arguments: input,
        ...(idempotencyKey !== undefined && { _meta: { 'parley/idempotencyKey': idempotencyKey } }),
      });
      return mcpOutcome(tool, result);
    },
  };
}

function mcpOutcome(tool: McpTool, result: McpToolResult): Outcome {
  const [block, ...more] = result.content;
  expect(more, 'content blocks after the first').toEqual([]);
  if (tool.output.type === 'never' && !result.isError) {
    expect(block?.type).toBe('audio');
    const text = Buffer.from(block?.data ?? '', 'base64').toString();
    return { value: { contentType: block?.mimeType, text } };
  }
  expect(block?.type).toBe('text');
  const text = JSON.parse(block?.text ?? '') as Record<string, unknown>;
  if (!('isError' in result)) {
    expect(text, 'the text equals the structured content').toEqual(result.structuredContent);
    return { value: byRestNames(tool, result.structuredContent ?? {}) };
  }
  expect(result.isError).toBe(true);
  expect(result, 'an error has no structured content').not.toHaveProperty('structuredContent');
  const { error, hint, problems, ...others } = text;
  expect(others).toEqual({});
  expect({ error, hint }).toEqual({ error: errorForm, hint: expect.stringMatching(/\S/) });
  return {
    error: inRestTerms(tool, error as ErrorBody),
    hint: String(hint),
    ...(problems !== undefined && { problems }),
  };
}

/** MCP leaves out where REST would have the input. It is added here, so that tests can compare the transports. */
function inRestTerms(tool: McpTool, error: ErrorBody): ErrorBody {
  const { issues } = (error.details ?? {}) as { issues?: readonly Omit<Issue, 'in'>[] };
  if (error.code !== 'invalid_request' || !issues) return error;
  expect(error.message).not.toMatch(/^(?:body|params|querystring)\b/);
  const placed = issues.map((issue) => {
    expect(Object.keys(issue)).toEqual(['path', 'message']);
    const [, name = ''] = issue.path.split('/');
    return { in: placeOf(tool, name), ...issue };
  });
  const message = error.message.replace(/^The arguments(?=:)/, '');
  const [first] = placed;
  return {
    ...error,
    message: `${first?.in}${message.startsWith(':') ? '' : ' '}${message}`,
    details: { ...error.details, issues: placed },
  };
}

/** A list of MCP with the names that REST uses, so that the two compare. */
function byRestNames({ mcp: { pages } }: McpTool, value: JsonObject): JsonObject {
  if (!pages?.names) return value;
  const { items, names } = pages;
  const own = new Map(Object.entries(names).map(([name, shown]) => [shown, name]));
  const restored = (item: JsonObject) =>
    Object.fromEntries(Object.entries(item).map(([name, member]) => [own.get(name) ?? name, member]));
  return { ...value, [items]: (value[items] as JsonObject[]).map(restored) };
}

/** Asserts that a call failed with this code and, over REST, with its status. Returns the error. */
export function refusal({ error, status, value }: Outcome, code: ErrorCode): ErrorBody {
  if (!error) throw new Error(`answered ${JSON.stringify(value)} instead of ${code}`);
  expect(error.code, error.message).toBe(code);
  if (status !== undefined && error.message) expect(status).toBe(errorStatus[code]);
  return error;
}

/** Asserts that a call succeeded. Returns its value. */
export function success({ error, hint, value }: Outcome): unknown {
  if (error) throw new Error(`refused: ${JSON.stringify({ error, hint })}`);
  return value;
}

/** Returns an error without the id of its request. */
export function wordsOf({ requestId: _, ...words }: ErrorBody): Omit<ErrorBody, 'requestId'> {
  return words;
}
