import { jsonPointer } from '../../platform/errors.ts';
import type { Design } from '../schema/design.ts';
import { isList, isObject, isSame, itemsById, type Members } from '../value.ts';
import { own } from './wording.ts';

type Place = readonly string[];

/** Members that the summary says in words: what the service writes, ids and kinds, and where calls go on. */
const saidInWords = new Set(['compliance', 'layout', 'id', 'kind', 'on', 'target', 'next', 'stepId']);

/** Characters of a value. */
const longestValue = 300;

/**
 * The texts and values that differ between two versions, old and new: `/steps/hours/text: "From 8 to 6." → "From 8 to 8."`.
 * Items of lists stand under their ids.
 */
export function textChanges(from: Design, to: Design): string[] {
  return [...changesAt(from, to, [])];
}

function* changesAt(before: unknown, now: unknown, place: Place): Generator<string> {
  if (isSame(before, now)) return;
  const [old, next] = [membersOf(before), membersOf(now)];
  if (old && next) {
    for (const name of new Set([...Object.keys(old), ...Object.keys(next)]))
      if (isListed(name, now, place)) yield* changesAt(own(old, name), own(next, name), [...place, name]);
  } else if (before === undefined) yield* linesOf(now, place, 'added');
  else if (now === undefined) yield* linesOf(before, place, 'removed');
  else yield `${jsonPointer(place)}: ${shown(before)} → ${shown(now)}`;
}

/** The phrases in what was added or removed as a whole. */
function* linesOf(value: unknown, place: Place, what: 'added' | 'removed'): Generator<string> {
  const members = membersOf(value);
  if (members) {
    for (const [name, member] of Object.entries(members))
      if (isListed(name, value, place)) yield* linesOf(member, [...place, name], what);
  } else if (isList(value))
    for (const [index, item] of value.entries()) yield* linesOf(item, [...place, String(index)], what);
  else if (typeof value === 'string' && value.includes(' '))
    yield `${jsonPointer(place)}: ${what} ${shown(value)}`;
}

/** False for a member that the summary says in words. The ids of steps, nodes and items are not such members. */
function isListed(name: string, holder: unknown, place: Place): boolean {
  return isList(holder) || /^(?:steps|nodes|commands)$/.test(place.at(-1) ?? '') || !saidInWords.has(name);
}

/** The members of an object, or the items of a list by their ids. */
function membersOf(value: unknown): Members | undefined {
  if (isObject(value)) return value;
  const items = itemsById(value);
  return items && items.size > 0 ? Object.fromEntries(items) : undefined;
}

function shown(value: unknown): string {
  const characters = Array.from(JSON.stringify(value));
  return characters.length <= longestValue
    ? characters.join('')
    : `${characters.slice(0, longestValue - 1).join('')}…`;
}
