import type { Knex } from 'knex';

/** One page of a list: at most `limit` items, after the one that `cursor` names. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Bytes of JSON at which the page ends; 8 MiB by default. */
  readonly bytes?: number | undefined;
}

/** `nextCursor` is present only if more items follow. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor?: string;
}

/** Bytes of JSON at which a page ends (decisions#lists). */
export const pageBytes = 8 * 1024 * 1024;

/** What a query needs so that it can be limited to a page. */
type Limitable = Pick<Knex.QueryBuilder, 'orderBy' | 'limit' | 'andWhere'>;

/** Limits a query to the records of a page and one more, newest first: ids sort by the time of creation. */
export function limitToNewest<Query extends Limitable>(query: Query, { limit, cursor }: PageRequest): Query {
  query.orderBy('id', 'desc');
  query.limit(limit + 1);
  if (cursor !== undefined) query.andWhere('id', '<', cursor);
  return query;
}

/** Reads a page of records, newest first. */
export async function newestFirst<Row, Item extends { readonly id: string }>(
  query: PromiseLike<Row[]> & Limitable,
  page: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const rows = await limitToNewest(query, page);
  return pageOf(rows.map(toItem), page, ({ id }) => id);
}

/**
 * Makes a page of items that were read with one more than the limit, which shows whether more follow. A page ends
 * before its JSON passes the bytes of the request, but always holds the first item.
 * @param bytesOf measures an item; writing it as JSON takes as long as sending it
 */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, bytes: maximum = pageBytes }: PageRequest,
  cursorOf: (item: Item) => string,
  bytesOf: (item: Item) => number = jsonBytes,
): Page<Item> {
  const kept: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(0, limit)) {
    bytes += bytesOf(item);
    if (bytes > maximum && kept.length > 0) break;
    kept.push(item);
  }
  const last = kept.at(-1);
  if (last === undefined || kept.length === items.length) return { items: kept };
  return { items: kept, nextCursor: cursorOf(last) };
}

function jsonBytes(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(item));
}
