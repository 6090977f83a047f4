import { payloadTooLarge, ToolError } from '../errors.ts';
import { type Member, membersOf } from '../json-text.ts';
import { defaultBodyLimit } from '../tool/define.ts';
import { isJsonObject } from '../tool/json.ts';
import { type Toolsets, toolsOf } from '../tool/selection.ts';

/** Bytes that a message may have besides the arguments of its call. */
export const envelope = 65_536;

/** Bytes: 35 MiB, the largest arguments of a tool and their envelope. */
export const largestMessage = 36_700_160;

/**
 * Returns a check of messages before they are parsed: a call is held to its tool's own limit, any other message and a
 * whole batch to that of most tools. The check throws ToolError `payload_too_large`.
 */
export function messageLimit(toolsets: Toolsets): (text: Buffer) => void {
  const limits = new Map(toolsOf(toolsets).map(({ name, bodyLimit }) => [name, bodyLimit]));
  return (text) => {
    if (text.length <= defaultBodyLimit + envelope) return;
    const limit = limits.get(calledTool(text)) ?? defaultBodyLimit;
    if (text.length > limit + envelope) throw payloadTooLarge(limit);
  };
}

/** The most members of a message, of its params and of the arguments of its call: the SDK copies them several times. */
const mostMembers = 1000;

/** @throws ToolError `payload_too_large` for a message, or one of a batch, with more members than that */
export function holdToMembers(message: unknown): void {
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
