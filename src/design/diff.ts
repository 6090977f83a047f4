import { jsonPointer } from '../errors.ts';
import type { Place } from './problem.ts';
import { type Item, isObject, isSame, itemsById, type Members } from './value.ts';

/** One operation of a JSON Patch (RFC 6902), of those that a comparison needs. */
export type DiffOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** The longest list whose items are followed: the work grows with the square of it. */
const maximumFollowed = 1000;

/**
 * The JSON Patch that turns one value into another. What has an id is followed by it, from place to place of its list;
 * other lists are replaced whole. The order of an object's members says nothing.
 */
export function patchBetween(from: unknown, to: unknown, place: Place = []): DiffOperation[] {
  if (isSame(from, to)) return [];
  const [before, after] = [itemsById(from), itemsById(to)];
  if (before && after && Math.max(before.size, after.size) <= maximumFollowed)
    return listPatch(before, after, place);
  if (isObject(from) && isObject(to)) return memberPatch(from, to, place);
  return [{ op: 'replace', path: jsonPointer(place), value: to }];
}

function memberPatch(from: Members, to: Members, place: Place): DiffOperation[] {
  const removed = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  return [
    ...removed.map((name) => ({ op: 'remove', path: jsonPointer([...place, name]) }) as const),
    ...Object.entries(to).flatMap(([name, value]): DiffOperation[] =>
      Object.hasOwn(from, name)
        ? patchBetween(from[name], value, [...place, name])
        : [{ op: 'add', path: jsonPointer([...place, name]), value }],
    ),
  ];
}

/** Takes out what is gone, last first, then puts every place right, from the first on. */
function listPatch(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  place: Place,
): DiffOperation[] {
  const at = (index: number) => jsonPointer([...place, index]);
  const gone = [...before.keys()].flatMap((id, index) => (after.has(id) ? [] : [index]));
  const operations: DiffOperation[] = gone.toReversed().map((index) => ({ op: 'remove', path: at(index) }));
  const ids = [...before.keys()].filter((id) => after.has(id));
  for (const [index, [id, item]] of [...after].entries()) {
    const found = ids.indexOf(id, index);
    if (found === -1) {
      ids.splice(index, 0, id);
      operations.push({ op: 'add', path: at(index), value: item });
      continue;
    }
    if (found !== index) {
      ids.splice(index, 0, ...ids.splice(found, 1));
      operations.push({ op: 'move', from: at(found), path: at(index) });
    }
    operations.push(...patchBetween(before.get(id), item, [...place, index]));
  }
  return operations;
}
