import { jsonPointer } from '../platform/errors.ts';
import type { Place } from './problem.ts';
import { type Item, isObject, isSame, itemsById, type Members } from './value.ts';

/** An operation of a JSON Patch (RFC 6902). A comparison needs only these. */
export type DiffOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** Longer lists are replaced as a whole, because matching items takes quadratic time. */
const maximumMatched = 1000;

/**
 * The JSON Patch that turns one value into another. Items of a list are matched by id; a list whose items have no ids is
 * replaced as a whole. The order of an object's members does not count.
 */
export function patchBetween(from: unknown, to: unknown, place: Place = []): DiffOperation[] {
  if (isSame(from, to)) return [];
  const [before, after] = [itemsById(from), itemsById(to)];
  if (before && after && Math.max(before.size, after.size) <= maximumMatched)
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

/** Removes items from the last to the first, then adds, moves and changes items from the first to the last. */
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
