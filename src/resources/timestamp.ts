import * as v from 'valibot';

/** ISO 8601, UTC, milliseconds, `Z`. */
export const Timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A timestamp that an input names, with any zone; `momentOf` says whether the calendar has it. */
export const Moment = v.pipe(
  v.string(),
  v.regex(
    momentPattern,
    'Expected a time with its zone, like 2026-01-31T09:00:00Z; in an address + is written %2B.',
  ),
);

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970 of such a text; undefined where no calendar has it, or not in the years 1970 to 9999. */
export function momentOf(text: string): number | undefined {
  const local = text.slice(0, 19);
  // Date takes the 30th of February for a day in March, and 24:00 for the next day.
  const written = Date.parse(`${local}Z`);
  if (Number.isNaN(written) || !new Date(written).toISOString().startsWith(local)) return undefined;
  const at = Date.parse(text);
  return at >= 0 && at <= lastMoment ? at : undefined;
}
