import { isObject } from '../../../design/value.ts';
import { objectsOf, spokenMembers } from '../../designs/greeting.ts';
import type { Compilation, FlowPlace } from './compilation.ts';
import { type Destination, destinationIn } from './destination.ts';
import { type Question, questionsIn } from './questions.ts';

type Members = Readonly<Record<string, unknown>>;

/** A way from a node to another. */
export interface Way {
  readonly id: string;
  readonly to: string;
  readonly label: string | undefined;
  readonly place: FlowPlace;
}

/** A node, and what it does in a call. */
export type Node = { readonly id: string; readonly place: FlowPlace; readonly ways: readonly Way[] } & Deed;

type Deed =
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'ask'; readonly questions: readonly Question[] }
  | { readonly does: 'choose'; readonly text: string | undefined }
  | { readonly does: 'answer'; readonly instruction: string | undefined; readonly facts: string | undefined }
  | { readonly does: 'transfer'; readonly text: string | undefined; readonly destination: Destination }
  | { readonly does: 'end'; readonly text: string | undefined }
  | { readonly does: 'nothing' };

type Does = Exclude<Deed['does'], 'nothing'>;

/** Words in the type, name or id of a node that tell what it does. */
const words: Readonly<Record<Does, string>> = {
  say: 'start greeting greet welcome intro introduction opening say speak message play announce announcement info statement',
  ask: 'question ask collect gather input form capture slot',
  choose: 'condition branch route router switch menu decision choice choose intent options split',
  answer: 'answer llm ai faq knowledge qa questions agent',
  transfer: 'transfer handoff handover forward dial redirect escalate escalation human',
  end: 'end hangup goodbye bye exit stop finish close closing terminate',
};

const meanings = new Map<string, Does>(
  (Object.keys(words) as Does[]).flatMap((does) =>
    words[does].split(' ').map((word) => [word, does] as const),
  ),
);

/** Labels of ways that are taken if nothing else fits. */
export const otherwise = /^(?:else|default|otherwise|fallback|other|no match|any)$/iu;

/** Members that hold what a node asks. */
const asking = ['question', 'prompt', ...spokenMembers];

/** Reads the nodes of a graph, and the ways between them. */
export function nodesOf(compilation: Compilation, graph: Members): Map<string, Node> {
  const listed = [...objectsOf(graph['nodes'])].filter(([, { id }]) => typeof id === 'string' && id !== '');
  const ways = waysOf(compilation, graph, new Set(listed.map(([, { id }]) => String(id))));
  const nodes = new Map<string, Node>();
  for (const [index, members] of listed) {
    const id = String(members['id']);
    if (nodes.has(id)) continue;
    const node = { id, place: ['nodes', index], ways: ways.get(id) ?? [] };
    nodes.set(id, { ...node, ...deedOf(compilation, members, node) });
  }
  return nodes;
}

function waysOf(
  compilation: Compilation,
  { edges }: Members,
  nodes: ReadonlySet<string>,
): Map<string, Way[]> {
  const ways = new Map<string, Way[]>();
  for (const [index, edge] of objectsOf(edges)) {
    const { id, from, to } = edge;
    const place = ['edges', index];
    if (typeof from !== 'string' || typeof to !== 'string' || !nodes.has(from) || !nodes.has(to)) {
      compilation.skip(place, 'Does not lead from one node to another.');
      continue;
    }
    const label = firstText(compilation, edge, ['label', 'condition', 'when', 'intent', 'name', 'on'], place);
    const way = { id: typeof id === 'string' ? id : `edge${index}`, to, label, place };
    const known = ways.get(from);
    if (known) known.push(way);
    else ways.set(from, [way]);
  }
  return ways;
}

function deedOf(compilation: Compilation, members: Members, node: Pick<Node, 'id' | 'place' | 'ways'>): Deed {
  const { place, ways } = node;
  const named = [members['type'], members['kind']].find((word) => typeof word === 'string');
  const typed = meaningOf(named);
  const said = firstText(compilation, members, spokenMembers, place);
  if (named !== undefined && !typed && said !== undefined)
    compilation.skip(
      [...place, members['type'] === named ? 'type' : 'kind'],
      'Is no type that Parley knows: only the text of the node counts.',
    );
  const does =
    typed ??
    guessed(members, said, ways) ??
    meaningOf(members['name'] ?? members['label']) ??
    meaningOf(node.id);
  switch (does) {
    case 'say':
      if (said !== undefined) return { does, text: said };
      break;
    case 'ask': {
      const questions = questionsOf(compilation, members, node);
      if (questions.length > 0) return { does, questions };
      break;
    }
    case 'choose':
      if (ways.some(isChosen)) return { does, text: firstText(compilation, members, asking, place) };
      break;
    case 'answer': {
      const told = ['instruction', 'instructions', 'prompt', 'task', ...spokenMembers];
      const facts = firstText(compilation, members, ['facts', 'knowledge', 'content'], place);
      return { does, instruction: firstText(compilation, members, told, place), facts };
    }
    case 'transfer': {
      const { number, phoneNumber, destination, target, to } = members;
      const value = isObject(destination) ? destination['value'] : destination;
      const found = [number, phoneNumber, value, target, to].flatMap((one) => destinationIn(one) ?? [])[0];
      if (found) return { does, text: said, destination: found };
      compilation.skip(place, 'Names no phone number or SIP address to put callers through to.');
      return { does: 'nothing' };
    }
    case 'end':
      return { does, text: said };
    case undefined:
      break;
  }
  compilation.skip(place, 'Does not say what happens in the call.');
  return { does: 'nothing' };
}

/** What a node does whose type does not say it. */
function guessed(members: Members, said: string | undefined, ways: readonly Way[]): Does | undefined {
  if (members['questions'] !== undefined || typeof members['question'] === 'string') return 'ask';
  if (destinationIn(members['number'] ?? members['phoneNumber'])) return 'transfer';
  if (said !== undefined) return ways.length === 0 ? 'end' : 'say';
  return branches(ways) ? 'choose' : undefined;
}

/** True if callers choose between these ways. */
export function branches(ways: readonly Way[]): boolean {
  return ways.length > 1 && ways.some(isChosen);
}

function isChosen({ label }: Way): boolean {
  return label !== undefined && !otherwise.test(label);
}

/** The meaning of a word such as `collectInput` or `hang-up`: that of the whole, or else of its first part that has one. */
function meaningOf(word: unknown): Does | undefined {
  if (typeof word !== 'string' || word.length > 100) return undefined;
  const parts = word
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const does = [parts.join(''), ...parts].find((part) => meanings.has(part));
  return does === undefined ? undefined : meanings.get(does);
}

/** The questions of a node: a list as in a simple flow, or one with the id of the node. */
function questionsOf(
  compilation: Compilation,
  members: Members,
  { id, place }: Pick<Node, 'id' | 'place'>,
): Question[] {
  if (Array.isArray(members['questions']))
    return questionsIn(compilation, members['questions'], [...place, 'questions']);
  const prompt = firstText(compilation, members, asking, place);
  if (prompt === undefined) return [];
  const key = ['variable', 'variableId', 'key', 'saveAs'].map((name) => members[name]);
  const named = key.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  return [{ id: named ?? id, prompt, isRequired: members['required'] === true }];
}

function firstText(
  compilation: Compilation,
  members: Members,
  names: readonly string[],
  place: FlowPlace,
): string | undefined {
  const name = names.find((one) => typeof members[one] === 'string' && members[one].trim() !== '');
  return name === undefined ? undefined : compilation.text(members[name], [...place, name]);
}
