/** Which part of a list is asked for: at most `limit` items, after the one that `cursor` stands for. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A part of a list; `nextCursor` is there only where more follows. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor?: string;
}

/** An answer is cut here, in bytes of JSON (`decisions` 1). */
export const pageBytes = 8 * 1024 * 1024;

/**
 * A page of items that were read with one more than its limit, to know whether more follow. It ends early
 * where its JSON would pass 8 MiB, but never before the first item.
 */
export function pageOf<Item>(
  items: readonly Item[],
  { limit }: PageRequest,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const kept: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(0, limit)) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > pageBytes && kept.length > 0) break;
    kept.push(item);
  }
  const last = kept.at(-1);
  if (last === undefined || kept.length === items.length) return { items: kept };
  return { items: kept, nextCursor: cursorOf(last) };
}
