import { createHash } from 'node:crypto';
import type { RejectedPlace } from '../store/rejections.ts';
import { isJsonObject } from '../tool/json.ts';

/** Places that a rejection keeps: of a draft that changed more, texts first. */
const mostPlaces = 500;

/** Stands for the places beyond the bound. */
const rest: RejectedPlace = { pointer: '', isRest: true };

/** Members of a design that callers never notice: what Parley found out about it, and where a drawing puts its steps. */
const unheard: readonly string[] = ['compliance', 'layout'];

/** A value that only names something, such as a step: it is the same wherever it stands, so its place tells it apart. */
const isName = (value: unknown) => typeof value !== 'string' || /^[\w-]*$/.test(value);

/** A value at the end of a path, as digests: exact ones, and for a text those that trivial changes leave alone. */
interface Leaf {
  readonly pointer: string;
  /** The value and its place. */
  readonly value: string;
  readonly similarValue: string;
  /** The text alone, wherever it stands; undefined for a name. */
  readonly text?: string;
  readonly similarText?: string;
}

/** What a document has, by where it stands and what it is. */
interface Contents {
  readonly leaves: Leaf[];
  /** The first pointer of each value, by either digest. */
  readonly values: Map<string, string>;
  /** The first pointer of each text, by either digest. */
  readonly texts: Map<string, string>;
  /** How many values stand at a place, and the pointer of the first. */
  readonly counts: Map<string, { readonly pointer: string; count: number }>;
  /** The pointer of each list, by its place and its items in order. */
  readonly orders: Map<string, { readonly pointer: string; readonly unordered: string }>;
}

/**
 * What a draft brought, compared with the version that was live: values that are new at their place, values that are gone
 * from it, and items in another order. An item of a list is known by its `id`, so that it may move. A value is kept in the
 * form that a trivial change leaves alone, unless that is all that the draft has changed.
 */
export function placesBrought(live: unknown, draft: unknown): RejectedPlace[] {
  const [before, after] = [contentsOf(live), contentsOf(draft)];
  const knownOrders = new Set([...before.orders.values()].map(({ unordered }) => unordered));
  const places: RejectedPlace[] = [];
  for (const { pointer, value, similarValue, text, similarText } of after.leaves) {
    if (before.values.has(value)) continue;
    const newText = [similarText, text].find((one) => one !== undefined && !before.texts.has(one));
    places.push({
      pointer,
      value: before.values.has(similarValue) ? value : similarValue,
      ...(newText !== undefined && { text: newText }),
    });
  }
  for (const [place, { pointer, count }] of before.counts)
    if ((after.counts.get(place)?.count ?? 0) < count) places.push({ pointer, lost: place, of: count });
  for (const [order, { pointer, unordered }] of after.orders)
    if (!before.orders.has(order) && knownOrders.has(unordered)) places.push({ pointer, order });
  return places;
}

/** The places that a rejection stores. */
export function keptPlaces(places: readonly RejectedPlace[]): RejectedPlace[] {
  if (places.length <= mostPlaces) return [...places];
  const [texts, others] = [places.filter(({ text }) => text), places.filter(({ text }) => !text)];
  return [...[...texts, ...others].slice(0, mostPlaces), rest];
}

/** True for places from which {@link keptPlaces} has left some out. */
export function isCut(places: readonly RejectedPlace[]): boolean {
  return places.at(-1)?.isRest === true;
}

/** The pointers of those places that a document still has. A text counts wherever it stands now. */
export function placesIn(document: unknown): (places: readonly RejectedPlace[]) => string[] {
  const { values, texts, counts, orders } = contentsOf(document);
  const pointerOf = ({ pointer, value = '', text = '', lost, of = 0, order = '' }: RejectedPlace) => {
    if (lost !== undefined) return (counts.get(lost)?.count ?? 0) < of ? pointer : undefined;
    return values.get(value) ?? texts.get(text) ?? orders.get(order)?.pointer;
  };
  return (places) => [...new Set(places.map(pointerOf).filter((pointer) => pointer !== undefined))];
}

function contentsOf(document: unknown): Contents {
  const contents: Contents = {
    leaves: [],
    values: new Map(),
    texts: new Map(),
    counts: new Map(),
    orders: new Map(),
  };
  const heard = isJsonObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => !unheard.includes(name)))
    : document;
  collect(contents, heard, '', '');
  return contents;
}

/** @returns the digest of the value */
function collect(contents: Contents, value: unknown, pointer: string, place: string): string {
  const { leaves, counts, orders } = contents;
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
  const plain = typeof value === 'string' ? plainText(value) : '';
  const exact = digest([place, json]);
  const leaf: Leaf = {
    pointer,
    value: exact,
    similarValue: plain === '' ? exact : digest(['similar', place, plain]),
    ...(!isName(value) && {
      text: digest(['text', json]),
      similarText: digest(plain === '' ? ['text', json] : ['similar', plain]),
    }),
  };
  leaves.push(leaf);
  keepFirst(contents, leaf);
  const at = digest(['place', place]);
  const counted = counts.get(at);
  if (counted) counted.count += 1;
  else counts.set(at, { pointer, count: 1 });
  return exact;
}

function keepFirst(
  { values, texts }: Contents,
  { pointer, value, similarValue, text, similarText }: Leaf,
): void {
  for (const one of [value, similarValue]) if (!values.has(one)) values.set(one, pointer);
  for (const one of [text, similarText]) if (one !== undefined && !texts.has(one)) texts.set(one, pointer);
}

/** Digits in a row, as phone numbers are written. */
const phoneNumber = /\+?\(?\d[\d\s()./\p{Pd}]{5,}\d/gu;
/** Digits at the end of a phone number that stay the same if the country is left out. */
const nationalDigits = 9;

/**
 * A text without what nobody hears or sees: its case, white space, punctuation, characters that are not displayed, and the
 * spelling of phone numbers.
 */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(phoneNumber, (number) => ` ${number.replaceAll(/\D/g, '').slice(-nationalDigits)} `)
    .replaceAll(/[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
