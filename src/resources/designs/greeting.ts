import { type DisclosureRuling, examplesFor, ruleOnDisclosure } from '../../disclosure/index.ts';
import { isJsonObject } from '../../operation/json.ts';
import { jsonPointer, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';

/** A problem of a flow configuration; `path` is a JSON pointer into it. */
export interface FlowIssue {
  readonly path: string;
  readonly message: string;
}

/** What a greeting lacks, and the line that would pass. */
export interface FlowWarning extends FlowIssue {
  readonly hint: string;
}

type Flow = Readonly<Record<string, unknown>>;

/** The members of a graph's node that can hold what it says first, in this order. */
export const spokenMembers = ['greeting', 'introLine', 'say', 'text', 'line', 'message'];
/** A graph of 256 KiB has thousands of nodes. The first lines of a call come first in the order. */
const mostLines = 100;
/** Lines with which a call can begin. */
const mostOpenings = 20;

interface Line {
  readonly path: string;
  readonly text: string;
}

/** Rulings on lines that were asked for last. An author stores the same greeting with each change of the rest. */
const rulings = new Map<string, DisclosureRuling>();
const mostRulings = 1000;
/** Characters. A longer line is ruled on each time, so that the rulings take at most some megabytes. */
const longestKept = 500;

/** The ruling on a line. Without those that are kept, they took an eighth of the CPU of Node in create_flow. */
function rulingOn(text: string): DisclosureRuling {
  const known = rulings.get(text);
  if (known) {
    // A map keeps the order of insertion: the first is the one that nobody has asked for the longest.
    rulings.delete(text);
    rulings.set(text, known);
    return known;
  }
  const ruling = ruleOnDisclosure(text);
  if (text.length > longestKept) return ruling;
  rulings.set(text, ruling);
  if (rulings.size > mostRulings) rulings.delete(rulings.keys().next().value ?? '');
  return ruling;
}

/** Finds greetings that claim to be human or deny that an AI speaks (`decisions#flow-formats`). */
export function deceptions(flow: Flow): FlowIssue[] {
  const nodes = [...objectsOf(flow['nodes'])];
  const first = nodes.filter(([, { id }]) => id === flow['entry']);
  const inOrder = [...first, ...nodes.filter((node) => !first.includes(node))];
  const lines = [...greetingOf(flow), ...inOrder.flatMap(([index, node]) => firstLineOf(node, index))];
  return lines.slice(0, mostLines).flatMap(({ path, text }) => {
    const { deceives, reason } = rulingOn(text);
    return deceives ? [{ path, message: `A caller would take this for a human, because it ${reason}.` }] : [];
  });
}

/**
 * Warns if a call can begin without the disclosure of the AI: neither the greeting contains it nor, in a graph, the first
 * line of each way through the nodes (`decisions#flow-formats`). Returns one warning or none.
 */
export function greetingWarnings(flowSchema: unknown): FlowWarning[] {
  const flow = isJsonObject(flowSchema) ? flowSchema : {};
  const [greeting] = greetingOf(flow);
  const inGreeting = greeting && silenceIn([greeting]);
  if (greeting && !inGreeting) return [];
  const openings = openingsOf(flow);
  const inOpenings = silenceIn(openings);
  if (openings.length > 0 && !inOpenings) return [];
  const silence = inGreeting ?? inOpenings;
  const examples = examplesFor(silence?.text ?? '').map((example) => JSON.stringify(example));
  const example = examples.join(' or ');
  if (!silence)
    return [
      {
        path: '/greeting',
        message: 'This flow has no greeting, so it may not say that an AI speaks.',
        hint: `Add one that says so, such as ${example}.`,
      },
    ];
  return [
    {
      path: silence.path,
      message: `This line does not say clearly that the caller speaks with an AI: ${silence.reason}.`,
      hint: `Add one sentence about the speaker, such as ${example}.`,
    },
  ];
}

/** What a simple flow asks its callers first; undefined if it asks for nothing. */
export function firstQuestion(flowSchema: unknown): string | undefined {
  const [first] = objectsOf(isJsonObject(flowSchema) ? flowSchema['questions'] : undefined);
  const prompt = first?.[1]['prompt'];
  return typeof prompt === 'string' ? prompt : undefined;
}

/** The first line that does not disclose the AI, and why; undefined if all do. */
function silenceIn(lines: readonly Line[]): (Line & { readonly reason: string }) | undefined {
  for (const [index, line] of lines.entries()) {
    if (index === mostOpenings)
      return { ...line, reason: `more than ${mostOpenings} lines can begin a call, too many to check` };
    const { discloses, reason } = rulingOn(line.text);
    if (!discloses) return { ...line, reason };
  }
  return undefined;
}

/**
 * Holds a version of a flow that goes live to the rule of its project: if it requires disclosure, the greeting must not
 * lack it.
 * @throws ToolError `flow_schema_invalid`
 */
export async function requireDisclosedGreeting(stores: Stores, flowSchema: unknown): Promise<void> {
  const [warning] = greetingWarnings(flowSchema);
  if (!warning || !(await stores.projects.requiresDisclosure())) return;
  const { path, message, hint } = warning;
  throw new ToolError(
    'flow_schema_invalid',
    `${path}: ${message} The project requires it of every flow that goes live (requireDisclosure).`,
    { details: { issues: [{ path, message }] }, hint },
  );
}

/** The first lines that a caller of a graph hears, of each way from its entry, or from its first node. */
function openingsOf(flow: Flow): Line[] {
  const nodes = new Map<unknown, [index: number, node: Flow]>();
  for (const [index, node] of objectsOf(flow['nodes'])) nodes.set(node['id'], [index, node]);
  const targets = new Map<unknown, unknown[]>();
  for (const [, { from, to }] of objectsOf(flow['edges'])) {
    const known = targets.get(from);
    if (known) known.push(to);
    else targets.set(from, [to]);
  }
  const lines: Line[] = [];
  // A set yields what is added while it is read.
  const reached = new Set<unknown>([flow['entry'] ?? nodes.keys().next().value]);
  for (const id of reached) {
    const [index = 0, node] = nodes.get(id) ?? [];
    const said = node ? firstLineOf(node, index) : [];
    lines.push(...said);
    if (said.length === 0) for (const target of targets.get(id) ?? []) reached.add(target);
  }
  return lines;
}

function greetingOf(flow: Flow): Line[] {
  const text = flow['greeting'];
  return typeof text === 'string' ? [{ path: '/greeting', text }] : [];
}

function firstLineOf(node: Flow, index: number): Line[] {
  const member = spokenMembers.find((name) => typeof node[name] === 'string');
  return member === undefined
    ? []
    : [{ path: jsonPointer(['nodes', index, member]), text: String(node[member]) }];
}

/** The objects of a list, with their indexes. */
export function* objectsOf(list: unknown): Generator<[index: number, item: Record<string, unknown>]> {
  if (!Array.isArray(list)) return;
  for (const [index, item] of list.entries()) if (isJsonObject(item)) yield [index, item];
}
