import { jsonPointer } from '../platform/errors.ts';
import type { Place } from './problem.ts';
import type { Design } from './schema/design.ts';
import { type Item, isObject, isSame, itemsById, type Members } from './value.ts';

/** A field that both sides changed in different ways; null means that a version has no such field. */
export interface Conflict {
  /** JSON pointer into the newest version, or into the base if the newest version has no such field. */
  readonly path: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly yours: unknown;
}

/** Three versions of one value; undefined if a version does not have it. */
interface Versions {
  readonly base: unknown;
  readonly theirs: unknown;
  readonly yours: unknown;
}

/** Values that must not be merged by member: targets, variable references, positions, destinations. */
const wholeValues =
  /^\/layout\/[^/]+$|^\/steps\/[^/]+\/destination$|^\/hooks\/commands\/[^/]+\/next$|^\/hooks\/[^/]+\/nodes\/[^/]+\/(?:.+\/)?(?:next|else|predicate|onNotFound|phoneSource|emailSource|contactIdSource|to)$/;

/** Merges two changes of one document by member, and by item if the items of a list have ids. */
export function mergeValues(
  base: unknown,
  theirs: unknown,
  yours: unknown,
): { merged: unknown; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  return { merged: merge([], { base, theirs, yours }, conflicts), conflicts };
}

/**
 * Merges two changes of one design by step, hook node and field. Lists whose items have ids are merged by id; any other
 * list is one value. Members keep the order of `theirs`; members that only `yours` has follow.
 * @param base the version that both sides started from.
 * @param theirs the newest version.
 * @returns if there are conflicts, `merged` holds `theirs` for each of them and must not be stored.
 */
export function mergeDesigns(
  base: Design,
  theirs: Design,
  yours: Design,
): { merged: unknown; conflicts: Conflict[] } {
  return mergeValues(authored(base), authored(theirs), authored(yours));
}

/** A design without the members that the service computes. */
function authored({ compliance: _, ...design }: Design): object {
  return design;
}

function merge(place: Place, versions: Versions, conflicts: Conflict[]): unknown {
  const { base, theirs, yours } = versions;
  if (isSame(base, yours) || isSame(theirs, yours)) return theirs;
  if (isSame(base, theirs)) return yours;
  if (!isWhole(place, versions)) {
    const lists = listsOf(versions);
    if (lists) return mergeLists(place, versions, lists, conflicts);
    const { base: from = {} } = versions;
    if (isObject(from) && isObject(theirs) && isObject(yours))
      return mergeMembers(place, from, theirs, yours, conflicts);
  }
  conflicts.push(conflictAt(place, versions));
  return theirs;
}

function conflictAt(place: Place, { base = null, theirs = null, yours = null }: Versions): Conflict {
  return { path: jsonPointer(place), base, theirs, yours };
}

/** True for a value that must not be merged by member: {@link wholeValues}, added by both sides, or of another kind now. */
function isWhole(place: Place, { base, theirs, yours }: Versions): boolean {
  if (wholeValues.test(jsonPointer(place))) return true;
  if (base === undefined) return !isContainer(place);
  const isStepOrItem = typeof place.at(-1) === 'number' || (place[0] === 'steps' && place.length === 2);
  return (
    isStepOrItem &&
    ['kind', 'source'].some((name) => {
      const [before, ...after] = [base, theirs, yours].map((value) => isObject(value) && value[name]);
      return after.some((now) => now !== before);
    })
  );
}

/** True for an object that holds steps, nodes or lists: both sides may have added it with members of their own. */
function isContainer(place: Place): boolean {
  return place.length <= (place[0] === 'hooks' ? 3 : 1);
}

function mergeMembers(
  place: Place,
  base: Members,
  theirs: Members,
  yours: Members,
  conflicts: Conflict[],
): object {
  const member = (of: Members, name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  const names = new Set([...Object.keys(theirs), ...Object.keys(yours), ...Object.keys(base)]);
  const merged = [...names].map((name): [string, unknown] => {
    const versions = { base: member(base, name), theirs: member(theirs, name), yours: member(yours, name) };
    return [name, merge([...place, name], versions, conflicts)];
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

type Items = ReadonlyMap<string, Item>;
type Lists = { readonly [Side in keyof Versions]: Items };

function listsOf(versions: Versions): Lists | undefined {
  const base = itemsById(versions.base ?? []);
  const [theirs, yours] = [itemsById(versions.theirs), itemsById(versions.yours)];
  return base && theirs && yours && { base, theirs, yours };
}

function mergeLists(place: Place, versions: Versions, lists: Lists, conflicts: Conflict[]): unknown {
  const { base, theirs, yours } = lists;
  const indices = new Map([...indexed(base), ...indexed(theirs)]);
  const kept = new Map<string, unknown>();
  for (const id of new Set([...theirs.keys(), ...yours.keys(), ...base.keys()])) {
    const items = { base: base.get(id), theirs: theirs.get(id), yours: yours.get(id) };
    const item = merge([...place, indices.get(id) ?? 0], items, conflicts);
    if (item !== undefined) kept.set(id, item);
  }
  const inAll = (ids: Items) =>
    [...ids.keys()].filter((id) => base.has(id) && theirs.has(id) && yours.has(id));
  const [before, now, mine] = [inAll(base), inAll(theirs), inAll(yours)];
  const isMoved = !isSame(before, mine) && !isSame(now, mine);
  if (isMoved && !isSame(before, now)) conflicts.push(conflictAt(place, versions));
  const [leading, following] = (isMoved ? [yours, theirs] : [theirs, yours]).map((items) =>
    [...items.keys()].filter((id) => kept.has(id)),
  );
  return arranged(leading ?? [], following ?? []).map((id) => kept.get(id));
}

function indexed(items: Items): [id: string, index: number][] {
  return [...items.keys()].map((id, index) => [id, index]);
}

/** The leading order. Each id that only `following` has comes after its predecessor there and after new leading ids. */
function arranged(leading: readonly string[], following: readonly string[]): string[] {
  const [known, shared] = [new Set(leading), new Set(following)];
  const followers = new Map<string | undefined, string[]>();
  let before: string | undefined;
  for (const id of following)
    if (known.has(id)) before = id;
    else {
      const group = followers.get(before) ?? [];
      group.push(id);
      followers.set(before, group);
    }
  const ids: string[] = [];
  let waiting = followers.get(undefined) ?? [];
  for (const id of leading) {
    if (shared.has(id)) {
      ids.push(...waiting);
      waiting = followers.get(id) ?? [];
    }
    ids.push(id);
  }
  return [...ids, ...waiting];
}
