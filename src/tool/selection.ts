import { invalidRequest, jsonPointer } from '../errors.ts';
import { type Access, accesses } from './access.ts';
import type { Caller } from './context.ts';
import type { Tool } from './define.ts';

/** What choosing among tools needs to know of each. */
export type Choice = Pick<Tool, 'name' | 'access'>;

/** Something for each tool, by the folder of `tools/` that holds it. */
export type ByToolset<Member> = Readonly<Record<string, readonly Member[]>>;

/** The registry as adapters get it: the tools of each folder of `tools/`. */
export type Toolsets = ByToolset<Tool>;

/** Every tool of every toolset, in the order that callers see. */
export function toolsOf(toolsets: Toolsets): readonly Tool[] {
  return Object.values(toolsets).flat();
}

/** Which tools a client wants to see; every part can only tighten what its key allows. */
export interface Selection {
  readonly toolsets?: readonly string[];
  readonly tools?: readonly string[];
  readonly excluded?: readonly string[];
  readonly access?: readonly Access[];
}

/** With every toolset: without them an agent cannot know where it is. */
const alwaysThere = ['get_current_key', 'list_projects'];

/**
 * Reads a selection from its texts, each a comma-separated list: `toolsets`, `tools`, `exclude`, `access`.
 * The same for flags, environment and URL.
 * @throws ToolError `invalid_request` for an unknown parameter, toolset, tool or access: one that was
 * ignored would leave open what the caller meant to close.
 */
export function parseSelection(
  toolsets: ByToolset<Choice>,
  given: Iterable<readonly [string, string]>,
): Selection {
  const names = Object.values(toolsets)
    .flat()
    .map(({ name }) => name);
  const known: Record<string, readonly string[]> = {
    toolsets: Object.keys(toolsets),
    tools: names,
    exclude: names,
    access: accesses,
  };
  const lists: Record<string, string[]> = {};
  for (const [parameter, text] of given) {
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

function refuse(parameter: string, message: string): never {
  throw invalidRequest([{ in: 'querystring', path: jsonPointer([parameter]), message }]);
}

/** Toolsets that are no use without another one: a design is a conversation's, which can start from a template. */
const broughtBy: Readonly<Record<string, readonly string[]>> = {
  designs: ['conversations', 'catalogue'],
  conversations: ['catalogue'],
};

/** The tools of a selection, in the registry's order. Toolsets and single tools add up. */
export function selectTools<Member extends Choice>(
  toolsets: ByToolset<Member>,
  selection: Selection,
): readonly Member[] {
  const { toolsets: named, tools, excluded = [] } = selection;
  const sets = named?.flatMap((set) => [set, ...(broughtBy[set] ?? [])]);
  const wanted = (set: string, { name }: Choice) =>
    (!sets && !tools) ||
    sets?.includes(set) ||
    tools?.includes(name) ||
    (sets !== undefined && alwaysThere.includes(name));
  return Object.entries(toolsets).flatMap(([set, members]) =>
    members.filter((tool) => wanted(set, tool) && !excluded.includes(tool.name)),
  );
}

/** The caller with no more access than the selection asks for. */
export function tighten(caller: Caller, { access }: Selection): Caller {
  if (!access) return caller;
  return { ...caller, access: new Set(access.filter((one) => caller.access.has(one))) };
}

/** True where a tool is shown to this caller: what its key may not call is not; a publishable key sees none. */
export function mayList(caller: Caller, tool: Choice): boolean {
  return caller.keyType === 'secret' && (tool.access === 'none' || caller.access.has(tool.access));
}
