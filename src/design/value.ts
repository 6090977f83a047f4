/** True if two JSON values are equal. The order of an object's members does not count. */
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

/** The value at a place, or undefined if there is none. Looks at own members only. */
export function valueAt(value: unknown, place: readonly (string | number)[]): unknown {
  let at = value;
  for (const segment of place) {
    const name = String(segment);
    const canHave = isList(at) ? /^(?:0|[1-9]\d*)$/.test(name) : isObject(at);
    if (!canHave || !Object.hasOwn(at as object, name)) return undefined;
    at = (at as Members)[name];
  }
  return at;
}

/** The unescaped segments of a JSON pointer (RFC 6901). */
export function segmentsOf(pointer: string): string[] {
  const [, ...segments] = pointer.split('/');
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export type Members = Readonly<Record<string, unknown>>;

export type Item = Members & { readonly id: string };

/** The items of a list by id; undefined if it is not a list, or if an item has no id or the id of another. */
export function itemsById(value: unknown): Map<string, Item> | undefined {
  if (!isList(value)) return undefined;
  const items = new Map<string, Item>();
  for (const item of value) {
    if (!isObject(item) || typeof item['id'] !== 'string' || items.has(item['id'])) return undefined;
    items.set(item['id'], item as Item);
  }
  return items;
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !isList(value);
}
