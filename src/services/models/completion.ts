import { noModelAnswers, UpstreamFailure } from './upstream-failure.ts';

type JsonObject = Record<string, unknown>;

/** A whole chat completion. */
export interface Completion extends JsonObject {
  choices: unknown[];
}

/**
 * The completion in an upstream's JSON.
 * @throws ToolError 502 if there is none
 */
export function completionIn(whole: Uint8Array): Completion {
  const completion = objectIn(Buffer.from(whole).toString());
  if (!completion || !Array.isArray(completion['choices']))
    throw noModelAnswers(new UpstreamFailure('the model returned something other than a chat completion'));
  return completion as Completion;
}

/**
 * Reads the events of a streamed completion.
 * @yields each chunk
 * @returns the completion that they add up to
 * @throws ToolError 502 if the stream breaks off
 */
export async function* chunksIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject, Completion> {
  const completion: Completion = { choices: [] };
  for await (const data of dataIn(body)) {
    if (data === '[DONE]') continue;
    const chunk = objectIn(data);
    if (!chunk || chunk['error'] !== undefined)
      throw noModelAnswers(new UpstreamFailure('the stream of the model broke off'));
    yield chunk;
    add(completion, chunk);
  }
  return completion;
}

async function* dataIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const events = (rest + decoder.decode(piece, { stream: true })).split(/\r\n\r\n|\n\n|\r\r/);
    rest = events.pop() ?? '';
    for (const event of events) yield* dataOf(event);
  }
  yield* dataOf(rest);
}

function dataOf(event: string): string[] {
  const lines = event.split(/\r\n|\n|\r/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
  return lines.length > 0 ? [lines.join('\n')] : [];
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    // Not JSON. The caller decides what that means.
    return undefined;
  }
}

function add(completion: Completion, chunk: JsonObject): void {
  const { choices, ...rest } = chunk;
  for (const [name, value] of Object.entries(rest))
    if (value !== null && name !== '__proto__') completion[name] = value;
  if ('object' in rest) completion['object'] = 'chat.completion';
  for (const choice of Array.isArray(choices) ? (choices as JsonObject[]) : []) {
    const { delta, index = 0, ...more } = choice;
    const known = (completion.choices as JsonObject[]).find((one) => one['index'] === index);
    const into: JsonObject = known ?? { index, message: { role: 'assistant', content: null } };
    if (!known) completion.choices.push(into);
    merge(into['message'] as JsonObject, (delta ?? {}) as JsonObject);
    for (const [name, value] of Object.entries(more))
      if (value !== null || !Object.hasOwn(into, name)) into[name] = value;
  }
}

/** Texts are concatenated, items with an index are merged by it, and any other value replaces the old one. */
function merge(into: JsonObject, delta: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === '__proto__') continue;
    const known = Object.hasOwn(into, name) ? into[name] : undefined;
    if (typeof value === 'string' && typeof known === 'string' && !['role', 'id', 'type'].includes(name))
      into[name] = known + value;
    else if (Array.isArray(value)) into[name] = mergedItems(Array.isArray(known) ? known : [], value);
    else if (isObject(value) && isObject(known)) merge(known, value);
    else if (value !== null || known === undefined) into[name] = value;
  }
}

function mergedItems(known: readonly unknown[], more: readonly unknown[]): unknown[] {
  const items = [...known];
  for (const item of more) {
    if (!isObject(item) || typeof item['index'] !== 'number') {
      items.push(item);
      continue;
    }
    const { index, ...delta } = item;
    const at = items[index];
    if (isObject(at)) merge(at, delta);
    // Appended, whatever its index says: a list with holes could have any length.
    else items.push(delta);
  }
  return items;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
