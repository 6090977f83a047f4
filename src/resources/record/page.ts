import * as v from 'valibot';
import { LongList } from '../../operation/result.ts';
import { type IdKind, kindLetters } from '../../platform/id.ts';
import type { Page, PageRequest } from '../../store/page.ts';

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

/** The same in a list that is sorted by a number. */
export const NumberCursor = cursorOf(/^[1-9][0-9]{0,15}$/);

/** The same in a list that is sorted by name. */
export const NameCursor = cursorOf(/^name:[A-Za-z][A-Za-z0-9_]{0,99}$/);

/** Present only if more items follow. */
export const NextCursor = v.exactOptional(v.string());

/** A page of a list, with its items under the list's name. */
type NamedPage<Name extends string, Item> = Readonly<Record<Name, Item[]>> & { readonly nextCursor?: string };

/**
 * A list that the contract shows whole (decisions#lists): one page if the call asks for one, or if nothing follows it,
 * else all pages. No transaction spans the pages: each shows the records of its own moment.
 */
export async function wholeList<const Name extends string, Item>(
  name: Name,
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  read: (page: PageRequest) => Promise<Page<Item>>,
): Promise<NamedPage<Name, Item> | LongList<NamedPage<Name, Item>>> {
  const named = ({ items, ...more }: Page<Item>) => ({ [name]: items, ...more }) as NamedPage<Name, Item>;
  const first = await read({ limit: limit ?? maximumLimit, cursor });
  if (limit !== undefined || cursor !== undefined || first.nextCursor === undefined) return named(first);
  return new LongList(named(first), following(first.nextCursor));

  async function* following(start: string) {
    for (let after: string | undefined = start; after !== undefined; ) {
      const page: Page<Item> = await read({ limit: maximumLimit, cursor: after });
      yield named(page);
      after = page.nextCursor;
    }
  }
}
