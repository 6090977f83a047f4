import { nodesOf } from './exits.ts';
import type { Place } from './problem.ts';
import type { Design } from './schema/design.ts';
import { plainName, systemVariableNames } from './system-variables.ts';
import { isList, isObject } from './value.ts';

/** A text of a step or hook node, with its place in the design. */
interface PlacedText {
  readonly place: Place;
  readonly name: string;
}

/** Members that hold ids and fixed words. */
const idMembers = new Set([
  'id',
  'kind',
  'source',
  'variableId',
  'systemVariable',
  'target',
  'on',
  'next',
  'knowledgeIds',
  'integrationRef',
  'responseVariableId',
]);

const placeholder = /\{\{([^{}]*)\}\}/g;

/** A piece of a text: what stands there as it is, or a placeholder with the `name` inside its braces. */
export interface TextPart {
  readonly text: string;
  readonly name?: string;
}

/** The pieces of a text, in order. */
export function* textParts(text: string): Generator<TextPart> {
  let end = 0;
  for (const { 0: whole, 1: inside = '', index } of text.matchAll(placeholder)) {
    if (index > end) yield { text: text.slice(end, index) };
    end = index + whole.length;
    const name = inside.trim();
    yield name === '' ? { text: whole } : { text: whole, name };
  }
  if (end < text.length) yield { text: text.slice(end) };
}

/** True for the name of a placeholder that a value of the call replaces; false for a secret, and for plain text. */
export function isValueName(name: string | undefined): name is string {
  return name !== undefined && !name.startsWith('secret.');
}

/** A `{{name}}` in a text. */
export interface Placeholder extends PlacedText {
  /** True if it stands between the braces of another one, such as `{{secret.{{name}}}}`, which then is plain text. */
  readonly isNested: boolean;
}

/** Every `{{name}}` in the texts of a design, with the name inside. */
export function* placeholdersOf(design: Design): Generator<Placeholder> {
  for (const { value, place } of partsOf(design))
    for (const { place: at, text } of textsWith('{{', value, { place, skipped: idMembers })) {
      let end = 0;
      for (const { 0: whole, 1: inside = '', index } of text.matchAll(placeholder)) {
        const name = inside.trim();
        yield { place: at, name, isNested: name !== '' && /\{\{[^{}]*$/.test(text.slice(end, index)) };
        end = index + whole.length;
      }
    }
}

/** Every system variable that a hook refers to by name. */
export function* systemReferencesOf(design: Design): Generator<PlacedText> {
  for (const { node, place } of nodesOf(design)) yield* systemReferencesIn(node, place);
}

function* systemReferencesIn(value: unknown, place: Place): Generator<PlacedText> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = [...place, isList(value) ? Number(key) : key];
    if (key === 'systemVariable' && typeof member === 'string') yield { place: at, name: member };
    else yield* systemReferencesIn(member, at);
  }
}

function* partsOf(design: Design): Generator<{ value: unknown; place: Place }> {
  for (const [stepId, value] of Object.entries(design.steps)) yield { value, place: ['steps', stepId] };
  for (const [id, { line }] of Object.entries(design.hooks?.commands ?? {}))
    yield { value: { line }, place: ['hooks', 'commands', id] };
  for (const { node, place } of nodesOf(design)) yield { value: node, place };
}

/** A text of a design, and where it stands. */
interface FoundText {
  readonly place: Place;
  readonly text: string;
}

/**
 * The texts of a value, at any depth, that hold a mark such as `{{`.
 * @param skipped names of members to leave out
 */
export function textsWith(
  mark: string,
  value: unknown,
  {
    place = [],
    skipped = new Set(),
  }: { readonly place?: Place; readonly skipped?: ReadonlySet<string> } = {},
): FoundText[] {
  const found: FoundText[] = [];
  // One path serves all members: a path of its own for each took a tenth of a check.
  const path = [...place];
  const visit = (one: unknown) => {
    if (typeof one === 'string') {
      if (one.includes(mark)) found.push({ place: [...path], text: one });
    } else if (isList(one) || isObject(one))
      for (const [key, member] of isList(one) ? one.entries() : Object.entries(one)) {
        if (typeof key === 'string' && skipped.has(key)) continue;
        path.push(key);
        visit(member);
        path.pop();
      }
  };
  visit(value);
  return found;
}

/** True if a placeholder has a value: a variable of the design, a member of an `object` one, or a system variable. */
export function isKnownName(name: string, { variables = [] }: Design): boolean {
  const [first = ''] = name.split('.', 1);
  return (
    variables.some(({ id, type }) => id === name || (type === 'object' && id === first)) ||
    systemVariableNames.includes(plainName(name))
  );
}
