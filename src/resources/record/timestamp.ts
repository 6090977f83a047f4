import * as v from 'valibot';

/** ISO 8601, UTC, milliseconds, `Z`. */
export const Timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

/** A timestamp without its milliseconds, which are six tokens. */
export function toSeconds(timestamp: string): string {
  return timestamp.replace(/\.\d{3}Z$/, 'Z');
}

const momentPattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** A timestamp in an input, in any time zone; `momentOf` checks whether it exists. */
export const Moment = v.pipe(
  v.string(),
  v.regex(
    momentPattern,
    'Expected a time with its zone, like 2026-01-31T09:00:00Z; in an address + is written %2B.',
  ),
);

/** Milliseconds. */
const day = 86_400_000;
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Milliseconds since 1970; undefined for a date that does not exist or lies outside the years 1970 to 9999. A leap second,
 * 23:59:60 in UTC, is the second after it, as in the clocks of computers.
 */
export function momentOf(written: string): number | undefined {
  // RFC 3339, section 5.6: "t" and "z" may be in lower case.
  const upper = written.toUpperCase();
  const isLeap = upper.slice(17, 19) === '60';
  const text = isLeap ? `${upper.slice(0, 17)}59${upper.slice(19)}` : upper;
  const local = text.slice(0, 19);
  // Date.parse reads 30 February as a day in March, and 24:00 as the next day.
  const inUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(inUtc) || !new Date(inUtc).toISOString().startsWith(local)) return undefined;
  const at = Date.parse(text) + (isLeap ? 1_000 : 0);
  if (isLeap && at % day >= 1_000) return undefined;
  return at >= 0 && at <= lastMoment ? at : undefined;
}
