import * as v from 'valibot';
import { jsonPointer } from '../platform/errors.ts';
import type { Tool } from './define.ts';
import { messageOf, pathOf } from './input.ts';
import { Bytes, EventStream, type JsonObject, LongList, Relay, type ToolResult } from './result.ts';

/**
 * What a handler returned, as adapters take it.
 * @throws if the definition announces another kind of result, or another value
 */
export function resultOf(tool: Tool, returned: unknown): ToolResult {
  const result = kinds(tool, returned);
  if (result.kind !== 'value' && !tool.results.includes(result.kind))
    throw new Error(`${tool.name} returns ${result.kind}, which its definition does not announce`);
  return result;
}

function kinds(tool: Tool, returned: unknown): ToolResult {
  if (returned instanceof EventStream)
    return { kind: 'events', events: checkedEvents(tool, returned.events) };
  if (returned instanceof Bytes) {
    const { contentType, body, length } = returned;
    return { kind: 'bytes', contentType, body, length };
  }
  if (returned instanceof Relay) {
    const { contentType, body, interpret, events } = returned;
    return {
      kind: 'relay',
      contentType,
      body,
      interpret: (whole) => checkOutput(tool, interpret(whole)),
      events: events && ((body) => checkedEvents(tool, events(body))),
    };
  }
  if (returned instanceof LongList)
    return {
      kind: 'value',
      value: checkOutput(tool, returned.first),
      rest: checkedPages(tool, returned.rest),
    };
  return { kind: 'value', value: checkOutput(tool, returned) };
}

async function* checkedPages(tool: Tool, pages: AsyncGenerator<unknown, void, undefined>) {
  for await (const page of pages) yield checkOutput(tool, page);
}

async function* checkedEvents(tool: Tool, events: AsyncGenerator<JsonObject, unknown, undefined>) {
  return checkOutput(tool, yield* events);
}

/**
 * The value, which has to be exactly what the definition promises.
 * @throws if it is not: an unknown member would be a leak
 */
export function checkOutput(tool: Tool, value: unknown): unknown {
  const checked = v.safeParse(tool.output, value);
  if (checked.success) return checked.output;
  const issues = checked.issues.map((issue) => `${jsonPointer(pathOf(issue))} ${messageOf(issue)}`);
  throw new Error(`${tool.name} returns what its output schema refuses: ${issues.join('; ')}`);
}
