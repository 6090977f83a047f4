import { similarNames } from '../platform/closest.ts';
import { type Line, linesOf } from './find.ts';
import { applyPatch } from './patch.ts';
import { isValueName, textParts } from './placeholders.ts';
import type { Design } from './schema/design.ts';
import { segmentsOf, valueAt } from './value.ts';

/** A design, the segments of a JSON pointer to one of its texts, and the variables that its steps collect. */
type IsHeard = (design: Design, place: readonly string[], collected: ReadonlySet<string>) => boolean;

/**
 * JSON pointers to the texts of a design that a caller hears or reads, and to those whose words tell what a reply means. `*`
 * stands for any id or index. Some texts are heard only under a condition. `test/calls/spoken-texts.test.ts` lists
 * all other texts of the schema, with the reason why no caller hears them.
 */
export const spokenPlaces: Readonly<Record<string, IsHeard>> = {
  '/steps/*/introLine': always,
  '/steps/*/line': always,
  '/steps/*/text': always,
  '/steps/*/prompt': always,
  '/steps/*/collect/*/description': always,
  '/steps/*/collect/*/question': always,
  '/steps/*/readBack': always,
  '/steps/*/options/*/title': always,
  '/steps/*/options/*/description': always,
  '/steps/*/facts': always,
  '/variables/*/name': isCollected,
  '/hooks/commands/*/description': always,
  '/hooks/commands/*/line': always,
  '/hooks/*/nodes/*/sendSms/message': goesToCaller,
};

/** Texts that become the value of a variable, which a caller hears if a spoken text has its placeholder. */
export const valuePlaces: readonly string[] = [
  '/hooks/*/nodes/*/setVariable/value',
  '/hooks/*/nodes/*/fetch/responseMappings/*/defaultValue',
  '/hooks/*/nodes/*/crmLookup/fieldMappings/*/defaultValue',
];

/**
 * The texts of a design that a caller hears or reads, or by whose words a reply is understood, in their order. A text without
 * a word, such as a number or a placeholder alone, is none.
 */
export function spokenTexts(design: Design): Line[] {
  const lines = linesOf({ ...design, compliance: undefined, layout: undefined }).map((line) => ({
    ...line,
    place: segmentsOf(line.pointer),
  }));
  const textsAt = (pattern: readonly string[]) =>
    new Set(lines.flatMap(({ place, text }) => (fits(place, pattern) ? [text] : [])));
  const [collected, decided] = [textsAt(collectedVariable), textsAt(decidedVariable)];
  const heard = new Set<Line>();
  const values: { readonly line: Line; readonly variableId: unknown }[] = [];
  for (const line of lines) {
    const { place, text } = line;
    if (!hasWord(text)) continue;
    const found = spokenPatterns.find(({ pattern }) => fits(place, pattern));
    if (found?.isHeard(design, place, collected)) heard.add(line);
    else if (valuePatterns.some((pattern) => fits(place, pattern)))
      values.push({ line, variableId: valueAt(design, [...place.slice(0, -1), 'variableId']) });
  }
  // A value may hold the placeholder of another variable. Iterating a set also visits what is added during the iteration.
  const names = new Set([...heard].flatMap(({ text }) => variablesIn(text)));
  for (const name of names)
    for (const { line, variableId } of values)
      if (variableId === name && !decided.has(name) && !heard.has(line)) {
        heard.add(line);
        for (const inner of variablesIn(line.text)) names.add(inner);
      }
  return lines.filter((line) => heard.has(line)).map(({ pointer, text }) => ({ pointer, text }));
}

/** New texts of a design, by their JSON pointers. */
export type Texts = Readonly<Record<string, string>>;

/** Something wrong with a new text, by its pointer. */
interface TextProblem {
  readonly pointer: string;
  readonly message: string;
}

/**
 * What is wrong with new texts for a design: a pointer to no spoken text, an empty text, and other placeholders than those of
 * the text that it replaces.
 */
export function textProblems(design: Design, texts: Texts): TextProblem[] {
  const before = new Map(spokenTexts(design).map(({ pointer, text }) => [pointer, text]));
  const known = [...before.keys()];
  const problems: TextProblem[] = [];
  for (const [pointer, text] of Object.entries(texts)) {
    const old = before.get(pointer);
    const message =
      old === undefined
        ? unknownPointer(pointer, problems.length < mostSuggestions ? known : [])
        : difference(old, text);
    if (message !== undefined) problems.push({ pointer, message });
  }
  return problems;
}

/** The design with new texts. They must have no problems ({@link textProblems}). */
export function withTexts(design: Design, texts: Texts): unknown {
  const patched = applyPatch(
    design,
    Object.entries(texts).map(([path, value]) => ({ op: 'replace', path, value })),
  );
  if ('operation' in patched) throw new TypeError(`text ${patched.operation}: ${patched.message}`);
  return patched.document;
}

/** The spoken texts of a design that no new text replaces. */
export function textsWithout(design: Design, texts: Texts): Line[] {
  return spokenTexts(design).filter(({ pointer }) => !Object.hasOwn(texts, pointer));
}

/** Lines by pointer. */
export function tableOf(lines: readonly Line[]): Record<string, string> {
  return Object.fromEntries(lines.map(({ pointer, text }) => [pointer, text]));
}

const mostNearest = 3;
/** Problems that name the nearest pointers: to find them takes milliseconds in a large design. */
const mostSuggestions = 10;

function unknownPointer(pointer: string, known: readonly string[]): string {
  const names = similarNames({ word: pointer, known }, mostNearest);
  return `Is no text that callers hear.${names.length > 0 ? ` The nearest: ${names.join(', ')}.` : ''}`;
}

function difference(old: string, text: string): string | undefined {
  if (text.trim() === '') return 'Must not be empty.';
  const [lost, added] = [namesWithout(old, text), namesWithout(text, old)];
  const parts = [
    ...(lost.length > 0 ? [`lacks ${lost.map(braced).join(', ')}`] : []),
    ...(added.length > 0 ? [`adds ${added.map(braced).join(', ')}`] : []),
  ];
  if (parts.length === 0) return undefined;
  return `Must keep the placeholders of the text that it replaces: it ${parts.join(' and ')}.`;
}

/** The placeholders of a text that another text does not have, each once. */
function namesWithout(text: string, other: string): string[] {
  const others = new Set(namesIn(other));
  return [...new Set(namesIn(text))].filter((name) => !others.has(name));
}

function braced(name: string): string {
  return `{{${name}}}`;
}

function namesIn(text: string): string[] {
  return [...textParts(text)].flatMap(({ name }) => (name === undefined ? [] : [name]));
}

/** The variables of the placeholders in a text: `{{order.status}}` is a member of `order`. */
function variablesIn(text: string): string[] {
  return namesIn(text)
    .filter(isValueName)
    .flatMap((name) => [name, ...name.split('.', 1)]);
}

function hasWord(text: string): boolean {
  return [...textParts(text)].some((part) => part.name === undefined && /\p{L}/u.test(part.text));
}

function always(): boolean {
  return true;
}

/** The engine asks for an item without a question by the name of its variable. */
function isCollected(design: Design, place: readonly string[], collected: ReadonlySet<string>): boolean {
  return collected.has(String(valueAt(design, [...place.slice(0, -1), 'id'])));
}

/** False for a text message to a number that is written out: somebody of the project reads it. */
function goesToCaller(design: Design, place: readonly string[]): boolean {
  const number = valueAt(design, [...place.slice(0, -1), 'to', 'literalString']);
  return typeof number !== 'string' || namesIn(number).some(isValueName);
}

function fits(place: readonly string[], pattern: readonly string[]): boolean {
  return (
    place.length === pattern.length &&
    pattern.every((segment, index) => segment === '*' || segment === place[index])
  );
}

const spokenPatterns = Object.entries(spokenPlaces).map(([pointer, isHeard]) => ({
  pattern: segmentsOf(pointer),
  isHeard,
}));
const valuePatterns = valuePlaces.map(segmentsOf);
const collectedVariable = segmentsOf('/steps/*/collect/*/variableId');
/** A translation would change what a condition compares such a variable with. */
const decidedVariable = segmentsOf('/hooks/*/nodes/*/condition/branches/*/predicate/variable/variableId');
