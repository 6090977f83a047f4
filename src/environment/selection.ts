import { type Access, accesses } from '../operation/access.ts';
import type { Caller } from '../operation/context.ts';
import type { Tool } from '../operation/define.ts';
import { invalidRequest, jsonPointer } from '../platform/errors.ts';

/** What a selection needs to know of a tool. */
export type Choice = Pick<Tool, 'name' | 'access'>;

/** One member for each tool, by the folder of `tools/` that holds the tool. */
export type ByToolset<Member> = Readonly<Record<string, readonly Member[]>>;

/** Every tool, in the order that callers see. */
export function toolsOf<Member>(toolsets: ByToolset<Member>): readonly Member[] {
  return Object.values(toolsets).flat();
}

/** The tools that a client wants to see; a selection can only narrow what its key allows. */
export interface Selection {
  readonly toolsets?: readonly string[];
  readonly tools?: readonly string[];
  readonly excluded?: readonly string[];
  readonly access?: readonly Access[];
}

/** Always listed: agents need these tools to find their project. */
const alwaysListed = ['get_current_key', 'list_projects'];

/**
 * Parses a selection from comma-separated lists: `toolsets`, `tools`, `exclude`, `access`. Flags, environment
 * variables and URL parameters use the same form.
 * @throws ToolError `invalid_request` for an unknown parameter, toolset, tool or access: if it were ignored, a tool
 * that the caller meant to exclude could stay available
 */
export function parseSelection(
  toolsets: ByToolset<Choice>,
  given: Iterable<readonly [string, string]>,
): Selection {
  const parameters = [...given];
  // Most requests select nothing, and need no list of names.
  const known = parameters.length > 0 ? knownNames(toolsets) : {};
  const lists: Record<string, string[]> = {};
  for (const [parameter, text] of parameters) {
    const values = text
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    const allowed = Object.hasOwn(known, parameter) ? known[parameter] : undefined;
    if (!allowed)
      refuse(parameter, `There is no such parameter; known are ${Object.keys(known).join(', ')}.`);
    else {
      const wrong = values.filter((value) => !allowed.includes(value));
      if (wrong.length)
        refuse(parameter, `There is no ${wrong.join(', ')}; known are ${allowed.join(', ')}.`);
      if (!values.length) refuse(parameter, 'Names nothing.');
      if (lists[parameter]) refuse(parameter, 'Is given more than once.');
      lists[parameter] = values;
    }
  }
  const { toolsets: sets, tools, exclude, access } = lists;
  return {
    ...(sets && { toolsets: sets }),
    ...(tools && { tools }),
    ...(exclude && { excluded: exclude }),
    ...(access && { access: access as Access[] }),
  };
}

/** The names that each parameter may list. */
function knownNames(toolsets: ByToolset<Choice>): Readonly<Record<string, readonly string[]>> {
  const names = Object.values(toolsets)
    .flat()
    .map(({ name }) => name);
  return { toolsets: Object.keys(toolsets), tools: names, exclude: names, access: accesses };
}

function refuse(parameter: string, message: string): never {
  throw invalidRequest([{ in: 'querystring', path: jsonPointer([parameter]), message }]);
}

/** Toolsets that need others: a design belongs to a conversation, which can start from a template, and files come as uploads. */
const requiredBy: Readonly<Record<string, readonly string[]>> = {
  designs: ['conversations', 'catalogue'],
  conversations: ['catalogue'],
  knowledge: ['uploads'],
  models: ['uploads'],
  voices: ['uploads'],
};

/** The tools of a selection, in the registry's order: those of its toolsets and its single tools. */
export function selectTools<Member extends Choice>(
  toolsets: ByToolset<Member>,
  selection: Selection,
): readonly Member[] {
  const { toolsets: named, tools, excluded = [] } = selection;
  const sets = named?.flatMap((set) => [set, ...(requiredBy[set] ?? [])]);
  const wanted = (set: string, { name }: Choice) =>
    (!sets && !tools) ||
    sets?.includes(set) ||
    tools?.includes(name) ||
    (sets !== undefined && alwaysListed.includes(name));
  return Object.entries(toolsets).flatMap(([set, members]) =>
    members.filter((tool) => wanted(set, tool) && !excluded.includes(tool.name)),
  );
}

/** The caller with its access reduced to that of the selection. */
export function tighten(caller: Caller, { access }: Selection): Caller {
  if (!access) return caller;
  return { ...caller, access: new Set(access.filter((one) => caller.access.has(one))) };
}

/** True if a caller's key may call a tool; a publishable key sees no tool. */
export function mayList(caller: Caller, tool: Choice): boolean {
  return caller.keyType === 'secret' && (tool.access === 'none' || caller.access.has(tool.access));
}
