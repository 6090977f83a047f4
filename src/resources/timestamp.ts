import * as v from 'valibot';

/** ISO 8601, UTC, milliseconds, `Z`. */
export const Timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

/** A timestamp without its milliseconds, which are six tokens. */
export function toSeconds(timestamp: string): string {
  return timestamp.replace(/\.\d{3}Z$/, 'Z');
}

const momentPattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** A timestamp in an input, in any time zone; `momentOf` checks whether it exists. */
export const Moment = v.pipe(
  v.string(),
  v.regex(
    momentPattern,
    'Expected a time with its zone, like 2026-01-31T09:00:00Z; in an address + is written %2B.',
  ),
);

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970; undefined for a date that does not exist or lies outside the years 1970 to 9999. */
export function momentOf(written: string): number | undefined {
  // RFC 3339, section 5.6: "t" and "z" may be in lower case.
  const text = written.toUpperCase();
  const local = text.slice(0, 19);
  // Date.parse reads 30 February as a day in March, and 24:00 as the next day.
  const inUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(inUtc) || !new Date(inUtc).toISOString().startsWith(local)) return undefined;
  const at = Date.parse(text);
  return at >= 0 && at <= lastMoment ? at : undefined;
}
