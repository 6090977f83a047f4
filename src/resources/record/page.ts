import * as v from 'valibot';
import { LongList } from '../../operation/result.ts';
import { type IdKind, kindLetters } from '../../platform/id.ts';
import type { PageRequest } from '../../store/page.ts';

const maximumLimit = 1000;

const Bounds = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(maximumLimit),
  v.description('Items at most.'),
);

/** `limit` of a list whose response in the contract has no pages. Without it and a cursor, REST returns the whole list. */
export const Limit = v.optional(Bounds);

/** `limit` of any other list, which has `usual` items in a page unless a call asks for more or fewer. */
export const limitOr = (usual: number) => v.optional(Bounds, usual);

const cursorOf = (form: RegExp) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(form, 'Expected a nextCursor, as it came.'),
      v.description('The last nextCursor.'),
    ),
  );

/** The `nextCursor` of the page before, in a list that is sorted by the ids of its records. */
export const idCursor = (kind: IdKind) => cursorOf(new RegExp(`^c${kindLetters[kind]}[0-9a-v]{26}$`));

/** The same in a list that is sorted by a number. A number of 15 digits is exact in JavaScript (2^53 has 16). */
export const NumberCursor = cursorOf(/^[1-9][0-9]{0,14}$/);

/** The same in a list that is sorted by name. */
export const NameCursor = cursorOf(/^name:[A-Za-z][A-Za-z0-9_]{0,99}$/);

/** Present only if more items follow. */
export const NextCursor = v.exactOptional(v.string());

/** The page that a call asks for. */
interface AskedPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * A list that the contract shows whole (decisions#lists): one page if the call asks for one, or if nothing follows it,
 * else all pages.
 *
 * The contract gives such a list no limit, so their number has no bound either. Memory does: REST reads a page once the
 * client has taken the one before it. A list that is sorted by age ends even if records are created faster than it is sent,
 * because they come before its cursor. No transaction spans the pages: each shows the records of its own moment.
 * @param read returns a page with its items under the name that the list has in the response
 */
export async function wholeList<NamedPage extends { readonly nextCursor?: string }>(
  { limit, cursor }: AskedPage,
  read: (page: PageRequest) => Promise<NamedPage>,
): Promise<NamedPage | LongList<NamedPage>> {
  const first = await read({ limit: limit ?? maximumLimit, cursor });
  const isWhole = limit === undefined && cursor === undefined;
  if (!isWhole || first.nextCursor === undefined) return first;
  return new LongList(first, pagesAfter(first.nextCursor, read));
}

/** Reads the pages after a cursor, one at a time. */
async function* pagesAfter<NamedPage extends { readonly nextCursor?: string }>(
  start: string,
  read: (page: PageRequest) => Promise<NamedPage>,
): AsyncGenerator<NamedPage, void, undefined> {
  let cursor: string | undefined = start;
  while (cursor !== undefined) {
    const page: NamedPage = await read({ limit: maximumLimit, cursor });
    yield page;
    cursor = page.nextCursor;
  }
}
