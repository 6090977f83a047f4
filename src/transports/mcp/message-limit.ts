import { toolsOf } from '../../environment/selection.ts';
import type { Toolsets } from '../../environment/toolsets.ts';
import { defaultBodyLimit } from '../../operation/define.ts';
import { isJsonObject } from '../../operation/json.ts';
import { longInputs } from '../../operation/long-input.ts';
import { payloadTooLarge, ToolError } from '../../platform/errors.ts';
import { type Member, membersOf } from '../../platform/json-text.ts';
import { type LongTextEncoding, type LongTextPlaces, longFrom } from '../../platform/long-text.ts';
import type { ShortenedJson } from '../http/body.ts';

/** Bytes that a message may have besides the arguments of its call. */
export const envelope = 65_536;

/** Bytes: 35 MiB, the largest arguments of a tool and their envelope. */
export const largestMessage = 36_700_160;

/**
 * Returns a check of messages before they are parsed: a call is held to its tool's own limit, any other message and a
 * whole batch to that of most tools. A call of a tool that takes files holds no more besides them than a small body. The
 * check throws ToolError `payload_too_large`.
 */
export function messageLimit(toolsets: Toolsets): (message: ShortenedJson) => void {
  const tools = new Map(toolsOf(toolsets).map((tool) => [tool.name, tool]));
  return ({ text, size, longTexts }) => {
    if (size <= defaultBodyLimit + envelope) return;
    const tool = tools.get(calledTool(text));
    const limit = tool?.bodyLimit ?? defaultBodyLimit;
    if (size > limit + envelope) throw payloadTooLarge(limit);
    const takesFiles = tool !== undefined && longInputs(tool).size > 0;
    const most = longFrom + defaultBodyLimit;
    if (takesFiles ? text.length > most : longTexts.size > 0) throw payloadTooLarge(most);
  };
}

/**
 * The arguments of calls that may be long, of all tools together: which tool is called may be known only after its arguments.
 * @throws TypeError if two tools take the same name in different encodings
 */
export function longArguments(toolsets: Toolsets): LongTextPlaces {
  const encodings = new Map<string, LongTextEncoding>();
  for (const tool of toolsOf(toolsets))
    for (const [name, encoding] of longInputs(tool)) {
      if ((encodings.get(name) ?? encoding) !== encoding)
        throw new TypeError(`tools take ${name} both as text and as base64`);
      encodings.set(name, encoding);
    }
  return { path: ['params', 'arguments'], encodings };
}

/** The most members of a message, of its params and of the arguments of its call: the SDK copies them several times. */
const mostMembers = 1000;

/** @throws ToolError `payload_too_large` for a message, or one of a batch, with more members than that */
export function requireMembers(message: unknown): void {
  for (const one of Array.isArray(message) ? (message as unknown[]) : [message])
    for (let at = one, depth = 0; isJsonObject(at) && depth < 3; depth++) {
      if (Object.keys(at).length > mostMembers)
        throw new ToolError(
          'payload_too_large',
          `The message has an object with more than ${mostMembers} members outside of a value.`,
        );
      at = depth === 0 ? at['params'] : at['arguments'];
    }
}

/** The name of the tool that a message calls; empty if it calls none or is not JSON. */
function calledTool(text: Buffer): string {
  try {
    const { method, params } = lastMembers(text, 0, ['method', 'params']);
    if (!params || textOf(text, method) !== 'tools/call') return '';
    return textOf(text, lastMembers(text, params.valueStart, ['name']).name);
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

/** The last member of each name, which is the one that JSON.parse keeps. */
function lastMembers<Name extends string>(
  text: Buffer,
  object: number,
  names: readonly Name[],
): { readonly [N in Name]?: Member } {
  const members = membersOf(text, object);
  return Object.fromEntries(
    names.map((wanted) => [wanted, members.findLast(({ name }) => name === wanted)]),
  ) as { [N in Name]?: Member };
}

/** A member that is a text; empty for any other. */
function textOf(text: Buffer, member: Member | undefined): string {
  const value: unknown = member && JSON.parse(text.toString('utf8', member.valueStart, member.end));
  return typeof value === 'string' ? value : '';
}
