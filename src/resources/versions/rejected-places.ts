import { createHash } from 'node:crypto';
import { isJsonObject } from '../../operation/json.ts';
import { isContained, packed, readingsOf, shinglesOf, unpacked, visitHashes } from './rejected-words.ts';
import type { RejectedPlace } from './rejection-store.ts';

/** Places that a rejection keeps: of a draft that changed more, texts first. */
const mostPlaces = 500;

/** Values that the live version had at one place, and items of a list in order: of more, the rejection keeps nothing. */
const mostOfOnePlace = 100;

/** Characters of new texts that are compared by their words, in the order of the document. The others are compared exactly. */
const mostCompared = 100_000;

/** Stands for the places beyond the bound. */
const rest: RejectedPlace = { pointer: '', isRest: true };

/** Members of a design that callers never notice: what Parley found out about it, and where a drawing puts its steps. */
const unheard: readonly string[] = ['compliance', 'layout'];

/** A value that only names something, such as a step: it is the same wherever it stands, so its place tells it apart. */
const isName = (value: unknown) => typeof value !== 'string' || /^[\w-]*$/.test(value);

/** A value at the end of a path, as digests: exact ones, and for a text those that trivial changes leave alone. */
interface Leaf {
  readonly pointer: string;
  /** The place alone. */
  readonly at: string;
  /** The value and its place. */
  readonly value: string;
  readonly similarValue: string;
  /** The text alone, wherever it stands; undefined for a name. */
  readonly text?: string;
  readonly similarText?: string;
  /** The digests of the words of the text. */
  readonly spoken?: readonly string[];
  /** The words of the text or name. */
  readonly readings?: readonly string[];
}

/** A place of a rejection that another document has still, or has otherwise than the version that was live. */
export interface FoundPlace {
  readonly place: RejectedPlace;
  /** The pointer to it in that document (RFC 6901). */
  readonly path: string;
  readonly match: Match;
}

/** It still holds what was rejected, has most of its words, or has something else there than was live: the closest first. */
const matches = ['held', 'contained', 'reworded'] as const;
type Match = (typeof matches)[number];

/** True if one document comes closer to what was rejected than another. */
export function isCloser(one: Match, other: Match): boolean {
  return matches.indexOf(one) < matches.indexOf(other);
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
  readonly orders: Map<string, { readonly pointer: string; readonly unordered: string; readonly at: string }>;
  /** The lists at a place, with what tells their items apart. */
  readonly lists: Map<string, { readonly pointer: string; readonly items: readonly string[] }[]>;
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
  const liveAt = valuesByPlace(before);
  /** The place, and with its first mention what the live version had there. */
  const placed = (at: string) => {
    const live = liveAt.get(at);
    liveAt.delete(at);
    return { at, ...(live && { live }) };
  };
  const shingles = newShingles(before, after);
  for (const leaf of after.leaves) {
    const { pointer, at, value, similarValue, text, similarText, spoken: [spoken] = [] } = leaf;
    if (before.values.has(value)) continue;
    const newText = [similarText, text].find((one) => one !== undefined && !before.texts.has(one));
    const words = packed(shingles.get(leaf) ?? new Set());
    places.push({
      pointer,
      ...placed(at),
      value: before.values.has(similarValue) ? value : similarValue,
      ...(newText !== undefined && { text: newText }),
      ...(newText !== undefined && spoken !== undefined && !before.texts.has(spoken) && { spoken }),
      ...(words !== undefined && { words }),
    });
  }
  for (const [place, { pointer, count }] of before.counts)
    if ((after.counts.get(place)?.count ?? 0) < count)
      places.push({ pointer, ...placed(place), lost: place, of: count });
  for (const [order, { pointer, unordered, at }] of after.orders)
    if (!before.orders.has(order) && knownOrders.has(unordered)) {
      const [list, other] = before.lists.get(at) ?? [];
      places.push({ pointer, order, ...(list && !other && { list: at, items: list.items }) });
    }
  return places;
}

function valuesByPlace({ leaves }: Contents): Map<string, string[]> {
  const byPlace = Map.groupBy(leaves, ({ at }) => at);
  return new Map([...byPlace].map(([at, there]) => [at, there.map(({ similarValue }) => similarValue)]));
}

/** The shingles of each new text of a draft, without those of the texts that the live version has. */
function newShingles(before: Contents, after: Contents): Map<Leaf, Set<number>> {
  const shingles = new Map<Leaf, Set<number>>();
  let compared = 0;
  for (const leaf of after.leaves) {
    const { value, text, readings: [words] = [] } = leaf;
    if (words === undefined || text === undefined || before.values.has(value)) continue;
    compared += words.length;
    if (compared > mostCompared) break;
    shingles.set(leaf, shinglesOf(words));
  }
  const wanted = new Set([...shingles.values()].flatMap((one) => [...one]));
  const known = new Set(foundIn(before, wanted).keys());
  return new Map(
    [...shingles].map(([leaf, one]) => [leaf, new Set([...one].filter((hash) => !known.has(hash)))]),
  );
}

/** Those of the wanted shingles that the texts of a document have, with the pointer of the first. */
function foundIn({ leaves }: Contents, wanted: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>();
  if (wanted.size === 0) return found;
  for (const { readings = [], pointer } of leaves)
    for (const reading of readings)
      visitHashes(reading, (hash) => {
        if (wanted.has(hash) && !found.has(hash)) found.set(hash, pointer);
      });
  return found;
}

/** The places that a rejection stores. */
export function keptPlaces(places: readonly RejectedPlace[]): RejectedPlace[] {
  const [kept, longer] = [places.filter(isShort), places.filter((place) => !isShort(place))];
  if (places.length <= mostPlaces && longer.length === 0) return [...places];
  const [texts, others] = [kept.filter(({ text }) => text), kept.filter(({ text }) => !text)];
  return [...[...texts, ...others].slice(0, mostPlaces), rest];
}

function isShort({ live = [], items = [] }: RejectedPlace): boolean {
  return live.length <= mostOfOnePlace && items.length <= mostOfOnePlace;
}

/** True for places from which {@link keptPlaces} has left some out. */
export function isCut(places: readonly RejectedPlace[]): boolean {
  return places.at(-1)?.isRest === true;
}

/**
 * The places of each of some rejections that a document still has. A text counts wherever it stands now, also in pieces. A place
 * of which a rejection knows what the live version had is also found if it has something else.
 */
export function placesIn(
  document: unknown,
  rejections: readonly (readonly RejectedPlace[])[],
): FoundPlace[][] {
  // The digests of a document cost as much as all checks of its design, and few versions come after a rejected one.
  if (rejections.every((places) => places.length === 0)) return rejections.map(() => []);
  const contents = contentsOf(document);
  const words = new Map(
    rejections.flat().flatMap(({ words }) => (words === undefined ? [] : [[words, unpacked(words)]])),
  );
  const found = foundIn(contents, new Set([...words.values()].flatMap((one) => [...one])));
  const atPlace = Map.groupBy(contents.leaves, ({ at }) => at);
  const containing = ({ words: stored = '' }: RejectedPlace) => {
    const shingles = words.get(stored) ?? new Uint32Array();
    const pointers = [...shingles].flatMap((shingle) => found.get(shingle) ?? []);
    if (!isContained(pointers.length, shingles.length)) return undefined;
    const [most] = [...Map.groupBy(pointers, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length);
    return most?.[0];
  };
  return rejections.map((places) => {
    const reworded = new Map<string, string | undefined>();
    for (const { at, live = [] } of places) {
      if (at === undefined || reworded.has(at)) continue;
      const before = new Set(live);
      reworded.set(at, atPlace.get(at)?.find(({ similarValue }) => !before.has(similarValue))?.pointer);
    }
    return places.flatMap((place): FoundPlace[] => {
      const { at = '', list = '', items = [] } = place;
      const reordered = contents.lists.get(list)?.find((one) => isReordered(one.items, items));
      const paths = {
        held: heldAt(contents, place),
        contained: containing(place),
        reworded: reworded.get(at) ?? reordered?.pointer,
      };
      const match = matches.find((one) => paths[one] !== undefined);
      return match === undefined ? [] : [{ place, path: paths[match] ?? '', match }];
    });
  });
}

/** The pointer of a place whose value, text, loss or order the document still has; undefined if it is gone. */
function heldAt(
  { values, texts, counts, orders }: Contents,
  { pointer, value = '', text = '', spoken = '', lost, of = 0, order = '' }: RejectedPlace,
): string | undefined {
  if (lost !== undefined) return (counts.get(lost)?.count ?? 0) < of ? pointer : undefined;
  return values.get(value) ?? texts.get(text) ?? texts.get(spoken) ?? orders.get(order)?.pointer;
}

/** True if two lists have the items that they share in another order. */
function isReordered(items: readonly string[], before: readonly string[]): boolean {
  const [now, then] = [new Set(items), new Set(before)];
  const [shared, sharedBefore] = [
    items.filter((item) => then.has(item)),
    before.filter((item) => now.has(item)),
  ];
  return shared.some((item, index) => item !== sharedBefore[index]);
}

function contentsOf(document: unknown): Contents {
  const contents: Contents = {
    leaves: [],
    values: new Map(),
    texts: new Map(),
    counts: new Map(),
    orders: new Map(),
    lists: new Map(),
  };
  const heard = isJsonObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => !unheard.includes(name)))
    : document;
  collect(contents, heard, '', '');
  return contents;
}

/** @returns the digest of the value */
function collect(contents: Contents, value: unknown, pointer: string, place: string): string {
  const { leaves, counts, orders, lists } = contents;
  if (Array.isArray(value) && value.length > 0) {
    const items = value.map((item: unknown, index) => {
      const id = isJsonObject(item) && typeof item['id'] === 'string' ? `[${item['id']}]` : '-';
      return collect(contents, item, `${pointer}/${index}`, `${place}/${id}`);
    });
    const order = digest(['order', place, ...items]);
    const at = digest(['place', place]);
    orders.set(order, { pointer, unordered: digest(['items', place, ...items.toSorted()]), at });
    const known = value.map((item: unknown, index) =>
      isJsonObject(item) && typeof item['id'] === 'string' ? item['id'] : (items[index] ?? ''),
    );
    const there = lists.get(at) ?? [];
    there.push({ pointer, items: known });
    lists.set(at, there);
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
  const at = digest(['place', place]);
  const readings = typeof value === 'string' ? readingsOf(value) : undefined;
  const leaf: Leaf = {
    pointer,
    at,
    value: exact,
    similarValue: plain === '' ? exact : digest(['similar', place, plain]),
    ...(!isName(value) && {
      text: digest(['text', json]),
      similarText: digest(plain === '' ? ['text', json] : ['similar', plain]),
    }),
    ...(readings && { readings }),
    ...(!isName(value) && { spoken: (readings ?? []).map((words) => digest(['spoken', words])) }),
  };
  leaves.push(leaf);
  keepFirst(contents, leaf);
  const counted = counts.get(at);
  if (counted) counted.count += 1;
  else counts.set(at, { pointer, count: 1 });
  return exact;
}

function keepFirst(
  { values, texts }: Contents,
  { pointer, value, similarValue, text, similarText, spoken = [] }: Leaf,
): void {
  for (const one of [value, similarValue]) if (!values.has(one)) values.set(one, pointer);
  for (const one of [text, similarText, ...spoken])
    if (one !== undefined && !texts.has(one)) texts.set(one, pointer);
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
