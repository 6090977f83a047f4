import * as v from 'valibot';

const maximumLimit = 1000;

/** `limit` of a list that the specification shows without pages: up to 1,000 by default. */
export const Limit = limit(maximumLimit);
/** `limit` of the lists that are not in the specification. */
export const ShortLimit = limit(50);

function limit(value: number) {
  const Bounds = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximumLimit));
  return v.optional(v.pipe(Bounds, v.description('How many at most.')), value);
}

/** The `nextCursor` of the page before. */
export const Cursor = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[0-9a-z]{1,64}$/, 'Expected a nextCursor, as it came.'),
    v.description('nextCursor of the page before.'),
  ),
);

/** `Cursor` of a list that is sorted by a number. */
export const NumberCursor = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[1-9][0-9]{0,15}$/, 'Expected a nextCursor, as it came.'),
    v.description('nextCursor of the page before.'),
  ),
);

/** `Cursor` of a list that is sorted by name. */
export const NameCursor = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, 'Expected a nextCursor, as it came.'),
    v.description('nextCursor of the page before.'),
  ),
);

/** Present only if more items follow. */
export const NextCursor = v.exactOptional(v.string());
