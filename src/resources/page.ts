import * as v from 'valibot';

const maximumLimit = 1000;

/** `limit` of a list that the specification shows without paging: everything, up to 1,000. */
export const Limit = limit(maximumLimit);
/** `limit` of our own lists. */
export const ShortLimit = limit(50);

function limit(value: number) {
  const Bounds = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximumLimit));
  return v.optional(v.pipe(Bounds, v.description('How many at most.')), value);
}

/** Where the next page starts: `nextCursor` as it came. */
export const Cursor = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[0-9a-z]{1,64}$/, 'Expected a nextCursor, as it came.'),
    v.description('nextCursor of the page before.'),
  ),
);

/** The same for lists in the order of a number. */
export const NumberCursor = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[1-9][0-9]{0,15}$/, 'Expected a nextCursor, as it came.'),
    v.description('nextCursor of the page before.'),
  ),
);

/** The same for lists in the order of a name. */
export const NameCursor = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, 'Expected a nextCursor, as it came.'),
    v.description('nextCursor of the page before.'),
  ),
);

/** There only where more follows. */
export const NextCursor = v.exactOptional(v.string());
