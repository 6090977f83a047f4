/** A path from the root of a document: member names and indexes. */
export type Place = readonly (string | number)[];

/** Untyped, because tests break documents on purpose. */
type Json = ReturnType<typeof JSON.parse>;

/** Every place that matches a pattern, in which `*` is any member or item. */
export function placesAt(document: unknown, pattern: string): Place[] {
  let found: Place[] = [[]];
  for (const segment of pattern.split('/').slice(1))
    found = found.flatMap((place) => {
      const at = valueAt(document, place);
      if (typeof at !== 'object' || at === null) return [];
      const names = Array.isArray(at) ? [...at.keys()] : Object.keys(at);
      return names.filter((name) => segment === '*' || name === segment).map((name) => [...place, name]);
    });
  return found;
}

/** The value at a place. */
export function valueAt(document: Json, place: Place): Json {
  return place.reduce((at: Json, name) => at[name], document);
}

/** A copy with another value at a place; `undefined` removes the place. */
export function withValueAt<Document>(document: Document, place: Place, value: unknown): Document {
  const copy = structuredClone(document);
  const parent = valueAt(copy, place.slice(0, -1));
  const name = place.at(-1) ?? '';
  if (value !== undefined) parent[name] = value;
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return copy;
}

/** A place as a JSON pointer (RFC 6901). */
export function pointerOf(place: Place): string {
  return place.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The id of the step or hook node that a place belongs to, or the empty string. */
export function stepIdOf([first, second, third, fourth]: Place): string {
  if (first === 'steps' || first === 'layout') return String(second);
  return first === 'hooks' && third === 'nodes' ? String(fourth) : '';
}

/** A few items of a list, evenly spread. */
export function someItems<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, index) => items[Math.floor(index * step)] as Item,
  );
}
