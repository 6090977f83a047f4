import * as v from 'valibot';

/** ISO 8601, UTC, milliseconds, `Z`. */
export const Timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
