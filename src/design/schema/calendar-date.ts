import * as v from 'valibot';
import { weekdays } from '../../platform/calendar.ts';

const optional = v.exactOptional;

/** Dates of one condition. */
const mostDates = 400;

/** A day of the years 2000 to 2099, for which the proof looks at every day. */
const DateText = v.pipe(
  v.string(),
  v.regex(/^(20\d\d-)?\d\d-\d\d$/, 'Expected a date such as 2026-12-24, or 12-24 for each year.'),
);

/** When a call has to begin, in the time zone of the project (`decisions#calendar-dates`). */
export const CalendarDate = v.strictObject({
  on: optional(
    v.pipe(
      v.array(DateText),
      v.minLength(1),
      v.maxLength(mostDates),
      v.description('Dates: 2026-12-24, or 12-24 for each year.'),
    ),
  ),
  from: optional(v.pipe(DateText, v.description('The first day. With 12-24 and to 01-06, over New Year.'))),
  to: optional(v.pipe(DateText, v.description('The last day.'))),
  weekdays: optional(v.pipe(v.array(v.picklist(weekdays)), v.minLength(1), v.maxLength(weekdays.length))),
  between: optional(
    v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Expected a time from 00:00 to 24:00, such as 09:00.'),
        ),
      ),
      v.length(2),
      v.description('From the first time until just before the second, over midnight if that is earlier.'),
    ),
  ),
  openingHours: optional(
    v.pipe(
      v.picklist(['open', 'closed']),
      v.description('By openingHours and closedOn of the project, which update_project sets.'),
    ),
  ),
});

export type CalendarDate = v.InferOutput<typeof CalendarDate>;
