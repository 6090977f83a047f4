import { type ErrorCode, errorBody, ToolError } from '../errors.ts';
import type { JsonObject, ToolResult } from '../tool/result.ts';
import type { Published } from './publication.ts';

/** Makes the published value; `json` is the value's text, if it is at hand. */
type Publish = (value: unknown, json?: string) => Published;

/** A block of a tool's answer, as MCP names them. */
type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string } & ({ blob: string } | { text: string }) };

/** What `tools/call` answers. */
export interface CallToolResult extends Record<string, unknown> {
  content: ContentBlock[];
  structuredContent?: JsonObject;
  isError?: true;
}

/** An answer as MCP carries it: the published value as structured content and as one text block, bytes as a block, and SVG as a text. */
export async function callToolResult(
  toolName: string,
  answer: ToolResult,
  publish: Publish,
  signal: AbortSignal,
  onEvent: (event: JsonObject, index: number) => Promise<void>,
): Promise<CallToolResult> {
  switch (answer.kind) {
    case 'value':
      return valueResult(publish(answer.value, answer.json));
    case 'events':
      return valueResult(publish(await lastOf(answer.events, signal, onEvent)));
    case 'relay':
      return valueResult(publish(await relayedValue(answer, signal, onEvent)));
    case 'bytes':
      return bytesResult(toolName, answer.contentType, await wholeBlock(answer.body), publish);
  }
}

/** The value of an upstream's answer. */
async function relayedValue(
  { body, events, interpret }: ToolResult & { kind: 'relay' },
  signal: AbortSignal,
  onEvent: (event: JsonObject, index: number) => Promise<void>,
): Promise<unknown> {
  if (body instanceof Uint8Array) return interpret(body);
  return events ? lastOf(events(body), signal, onEvent) : interpret(await whole(body));
}

/** The value behind the events; a caller that leaves ends them. */
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

/** Structured content has to be an object, so an array stands under `items`. */
function valueResult({ value, json }: Published): CallToolResult {
  return Array.isArray(value)
    ? { content: [{ type: 'text', text: `{"items":${json}}` }], structuredContent: { items: value } }
    : { content: [{ type: 'text', text: json }], structuredContent: value as JsonObject };
}

/** What hosts show as an image; they refuse a conversation with an image of another type. */
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
 * Bytes that one block holds, 7 MiB: over stdio the clients of both lines of the SDK close the connection at a message of
 * 10 MiB, and base64 is a third longer. It is seven minutes of an mp3.
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
        `The answer is longer than ${longestBlock} bytes, the most that one answer over MCP holds.`,
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

/** What a model can do about an error that brings no hint of its own. */
const hints: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The key is not accepted. Ask the person who configured this server for a working one.',
  forbidden:
    'get_current_key shows the scope of the key in use. Ask for a key with the access that is named.',
  not_found: 'list_projects shows the project of this key; list its resources for the ids that exist.',
  invalid_request: 'Correct the inputs that details.issues names, all at once, and call again.',
  payload_too_large: 'Send less in one call.',
  in_use: 'Change or delete what details.references names first.',
  version_conflict: 'Read the newest version, apply the change to it, and call again with its number.',
};

/**
 * A failed operation as MCP tells it: the error as REST words it, and a hint beside it. As a tool's result it is a text
 * without structured content, which clients would hold against the output schema.
 */
export interface Failure {
  readonly error: ReturnType<typeof errorBody> & { readonly requestId: string };
  readonly hint: string;
}

/** What a client is told of an error. */
export function failureOf(error: ToolError, requestId: string): Failure {
  const hint =
    error.hint ?? hints[error.code] ?? (error.status >= 500 ? 'Try again shortly.' : 'Change the call.');
  return { error: { ...errorBody(error), requestId }, hint };
}
