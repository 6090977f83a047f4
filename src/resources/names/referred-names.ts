import type { Stores } from '../../store/stores.ts';
import type { NamedKind } from './store.ts';

/**
 * Adds to each item the name of the record to which its member `id` refers, as its member `name`: null if it refers to
 * none. Reads all names with one statement.
 */
export async function withNames<
  Item extends Record<Id, string | null>,
  Id extends string,
  Name extends string,
>(
  stores: Stores,
  items: readonly Item[],
  { kind, id, name }: { readonly kind: NamedKind; readonly id: Id; readonly name: Name },
): Promise<(Item & Record<Name, string | null>)[]> {
  const ids = new Set(items.map((item) => item[id]).filter((one) => one !== null));
  const names = ids.size > 0 ? await stores.recordNames.ofIds(kind, [...ids]) : new Map<string, string>();
  return items.map((item) => {
    const named = { [name]: names.get(item[id] ?? '') ?? null } as Record<Name, string | null>;
    return { ...item, ...named };
  });
}
