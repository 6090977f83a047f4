/** True where two JSON values are the same; the order of an object's members says nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

/** What a place of a JSON value holds; undefined where there is nothing. Own members only. */
export function valueAt(value: unknown, place: readonly (string | number)[]): unknown {
  let at = value;
  for (const segment of place) {
    const name = String(segment);
    const isThere = isList(at) ? /^(?:0|[1-9]\d*)$/.test(name) : isObject(at);
    if (!isThere || !Object.hasOwn(at as object, name)) return undefined;
    at = (at as Members)[name];
  }
  return at;
}

/** The unescaped segments of a JSON pointer (RFC 6901). */
export function segmentsOf(pointer: string): string[] {
  const [, ...segments] = pointer.split('/');
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON object as it is read. */
export type Members = Readonly<Record<string, unknown>>;

/** Something in a list that is known by its id. */
export type Item = Members & { readonly id: string };

/** The items of a list by their ids; undefined for a list of anything else, or where an id stands twice. */
export function itemsById(value: unknown): Map<string, Item> | undefined {
  if (!isList(value)) return undefined;
  const items = new Map<string, Item>();
  for (const item of value) {
    if (!isObject(item) || typeof item['id'] !== 'string' || items.has(item['id'])) return undefined;
    items.set(item['id'], item as Item);
  }
  return items;
}

/** True for what JSON calls an array. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !isList(value);
}
