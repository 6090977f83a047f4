import type { JsonObject, ToolResult } from '../../operation/result.ts';
import {
  type ErrorBody,
  type ErrorCode,
  type ErrorProblem,
  errorBody,
  type Issue,
  ToolError,
} from '../../platform/errors.ts';
import type { Published } from './publication.ts';

/** Makes the published value; `json` is the value's text, if it is at hand. */
type Publish = (value: unknown, json?: string) => Published;

/** A content block of MCP. */
type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string } & ({ blob: string } | { text: string }) };

/** The result of `tools/call`. */
export interface CallToolResult extends Record<string, unknown> {
  content: ContentBlock[];
  structuredContent?: JsonObject;
  isError?: true;
}

/** A result as MCP carries it: a value as structured content and as one text block, bytes as one block, SVG as text. */
export async function callToolResult(
  toolName: string,
  result: ToolResult,
  publish: Publish,
  signal: AbortSignal,
  onEvent: (event: JsonObject, index: number) => Promise<void>,
): Promise<CallToolResult> {
  switch (result.kind) {
    case 'value':
      return valueResult(publish(result.value, result.json));
    case 'events':
      return valueResult(publish(await lastOf(result.events, signal, onEvent)));
    case 'relay':
      return valueResult(publish(await relayedValue(result, signal, onEvent)));
    case 'bytes':
      return bytesResult(toolName, result.contentType, await wholeBlock(result.body), publish);
  }
}

/** The value of an upstream's response. */
async function relayedValue(
  { body, events, interpret }: ToolResult & { kind: 'relay' },
  signal: AbortSignal,
  onEvent: (event: JsonObject, index: number) => Promise<void>,
): Promise<unknown> {
  if (body instanceof Uint8Array) return interpret(body);
  return events ? lastOf(events(body), signal, onEvent) : interpret(await whole(body));
}

/** Passes on the events and returns the value behind them. Ends them if the caller leaves. */
async function lastOf(
  events: AsyncGenerator<JsonObject, unknown, undefined>,
  signal: AbortSignal,
  onEvent: (event: JsonObject, index: number) => Promise<void>,
): Promise<unknown> {
  try {
    for (let index = 1; ; index++) {
      const { done, value } = await events.next();
      if (done) return value;
      signal.throwIfAborted();
      await onEvent(value, index);
    }
  } finally {
    await events.return(undefined);
  }
}

/** Structured content has to be an object, so an array becomes the member `items`. */
function valueResult({ value, json }: Published): CallToolResult {
  return Array.isArray(value)
    ? { content: [{ type: 'text', text: `{"items":${json}}` }], structuredContent: { items: value } }
    : { content: [{ type: 'text', text: json }], structuredContent: value as JsonObject };
}

/** Image types that hosts show; they refuse a conversation with any other. */
const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function bytesResult(toolName: string, contentType: string, bytes: Buffer, publish: Publish): CallToolResult {
  const mimeType = contentType.split(';', 1)[0]?.trim() ?? contentType;
  const resource = { uri: `parley://results/${toolName}`, mimeType };
  if (mimeType === 'image/svg+xml') {
    const text = bytes.toString();
    const published = publish(text);
    if (published.value !== text) return valueResult(published);
    return { content: [{ type: 'resource', resource: { ...resource, text } }] };
  }
  const data = bytes.toString('base64');
  if (shownImages.has(mimeType)) return { content: [{ type: 'image', data, mimeType }] };
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] };
  return { content: [{ type: 'resource', resource: { ...resource, blob: data } }] };
}

/**
 * Bytes of the longest block: 7 MiB, about seven minutes of mp3. Over stdio, the clients of both SDK lines close the
 * connection at a message of 10 MiB, and base64 is a third longer.
 */
const longestBlock = 7_340_032;

/** @throws ToolError `payload_too_large` */
async function wholeBlock(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > longestBlock)
      throw new ToolError(
        'payload_too_large',
        `The result is longer than ${longestBlock} bytes, the most that MCP can carry in one result.`,
        {
          hint: 'Ask for less, or for a smaller format such as mp3 or opus. Over REST the same call has no limit.',
        },
      );
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** Hints for errors that have none of their own. */
const hints: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The key is not accepted. Ask the person who configured this server for a working one.',
  forbidden:
    'get_current_key shows the scope of the key in use. Ask for a key with the access that is named.',
  not_found: 'list_projects shows the project of this key; list its resources for the ids that exist.',
  invalid_request: 'Correct the inputs that details.issues names, all at once, and call again.',
  payload_too_large: 'Send less in one call.',
  in_use: 'Change or delete what details.references names first.',
  version_conflict: 'Read the newest version, apply the change to it, and call again with its number.',
  version_rejected: 'Ask the person who rejected it, or write a version that corrects what was rejected.',
};

/**
 * A failed operation on MCP: the error object of REST, and a hint. As a tool's result it is text without structured
 * content, which clients would check against the output schema.
 */
export interface Failure {
  readonly error: ReturnType<typeof errorBody> & { readonly requestId: string };
  readonly hint: string;
  /** Everything that is wrong, if that is more than `error.details` lists. */
  readonly problems?: readonly ErrorProblem[];
}

/** A failure as the result of a call. */
export function failedResult(failure: Failure): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
}

/** The failure of an error. */
export function failureOf(error: ToolError, requestId: string): Failure {
  const hint =
    error.hint ?? hints[error.code] ?? (error.status >= 500 ? 'Try again shortly.' : 'Change the call.');
  const { problems } = error;
  return {
    error: { ...inTermsOfInputs(errorBody(error)), requestId },
    hint,
    ...(problems.length > 0 && { problems }),
  };
}

/** An error about inputs without the part of a REST request that each is in: a tool has arguments only. */
function inTermsOfInputs(body: ErrorBody): ErrorBody {
  const { issues } = (body.details ?? {}) as { issues?: readonly Issue[] };
  const [first, ...more] = issues ?? [];
  if (body.code !== 'invalid_request' || !issues || !first) return body;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return {
    ...body,
    message: `${first.path === '' ? 'The arguments' : first.path}: ${first.message}${others}`,
    details: { ...body.details, issues: issues.map(({ in: _, ...issue }) => issue) },
  };
}
