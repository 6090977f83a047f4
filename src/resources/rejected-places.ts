import { createHash } from 'node:crypto';
import type { RejectedPlace } from '../store/rejections.ts';
import { isJsonObject } from '../tool/json.ts';

/** Places that a rejection keeps: of a draft that changed more, the first of them in the order of the document. */
const mostPlaces = 500;

/** Members of a design that callers never notice: what Parley found out about it, and where a drawing puts its steps. */
const unheard: readonly string[] = ['compliance', 'layout'];

/** A value that only names something, such as a step: it is the same wherever it stands, so its place tells it apart. */
const isName = (value: unknown) => typeof value !== 'string' || /^[\w-]*$/.test(value);

/** What a document has, by where it stands and what it is. */
interface Contents {
  /** The pointer of each value, by its place and the value. */
  readonly values: Map<string, { readonly pointer: string; readonly text: string | undefined }>;
  /** The first pointer of each text, by the text. */
  readonly texts: Map<string, string>;
  /** How many values stand at a place, and the pointer of the first. */
  readonly counts: Map<string, { readonly pointer: string; count: number }>;
  /** The pointer of each list, by its place and its items in order. */
  readonly orders: Map<string, { readonly pointer: string; readonly unordered: string }>;
}

/**
 * What a draft brought, compared with the version that was live: values that are new at their place, values that are gone
 * from it, and items in another order. An item of a list is known by its `id`, so that it may move.
 */
export function placesBrought(live: unknown, draft: unknown): RejectedPlace[] {
  const [before, after] = [contentsOf(live), contentsOf(draft)];
  const knownOrders = new Set([...before.orders.values()].map(({ unordered }) => unordered));
  const places: RejectedPlace[] = [];
  for (const [value, { pointer, text }] of after.values)
    if (!before.values.has(value))
      places.push({ pointer, value, ...(text !== undefined && !before.texts.has(text) && { text }) });
  for (const [place, { pointer, count }] of before.counts)
    if ((after.counts.get(place)?.count ?? 0) < count) places.push({ pointer, lost: place, of: count });
  for (const [order, { pointer, unordered }] of after.orders)
    if (!before.orders.has(order) && knownOrders.has(unordered)) places.push({ pointer, order });
  return places.slice(0, mostPlaces);
}

/** The pointers of those places that a document still has. A text counts wherever it stands now. */
export function placesIn(document: unknown): (places: readonly RejectedPlace[]) => string[] {
  const { values, texts, counts, orders } = contentsOf(document);
  const pointerOf = ({ pointer, value = '', text = '', lost, of = 0, order = '' }: RejectedPlace) => {
    if (lost !== undefined) return (counts.get(lost)?.count ?? 0) < of ? pointer : undefined;
    return values.get(value)?.pointer ?? texts.get(text) ?? orders.get(order)?.pointer;
  };
  return (places) => [...new Set(places.map(pointerOf).filter((pointer) => pointer !== undefined))];
}

function contentsOf(document: unknown): Contents {
  const contents: Contents = { values: new Map(), texts: new Map(), counts: new Map(), orders: new Map() };
  const heard = isJsonObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => !unheard.includes(name)))
    : document;
  collect(contents, heard, '', '');
  return contents;
}

/** @returns the digest of the value */
function collect(contents: Contents, value: unknown, pointer: string, place: string): string {
  const { values, texts, counts, orders } = contents;
  if (Array.isArray(value) && value.length > 0) {
    const items = value.map((item: unknown, index) => {
      const id = isJsonObject(item) && typeof item['id'] === 'string' ? `[${item['id']}]` : '-';
      return collect(contents, item, `${pointer}/${index}`, `${place}/${id}`);
    });
    const order = digest(['order', place, ...items]);
    orders.set(order, { pointer, unordered: digest(['items', place, ...items.toSorted()]) });
    return order;
  }
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return digest(
      Object.entries(value).flatMap(([name, member]) => {
        const step = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        return [name, collect(contents, member, `${pointer}${step}`, `${place}${step}`)];
      }),
    );
  const json = JSON.stringify(value) ?? '';
  const text = isName(value) ? undefined : digest(['text', json]);
  const key = digest([place, json]);
  if (!values.has(key)) values.set(key, { pointer, text });
  if (text !== undefined && !texts.has(text)) texts.set(text, pointer);
  const at = digest(['place', place]);
  const counted = counts.get(at);
  if (counted) counted.count += 1;
  else counts.set(at, { pointer, count: 1 });
  return key;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
