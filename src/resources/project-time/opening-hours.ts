import * as v from 'valibot';
import type { InputProblem } from '../../operation/define.ts';
import { datePlus, isDate, isOn, isYearlyDate, weekdayOf } from '../../platform/calendar.ts';
import { isTimeZone, type LocalTime } from '../../platform/local-time.ts';

/** Opening times of one day, and days on which a project is closed. */
const [mostIntervals, mostClosedDates] = [10, 400];

/** The name of a time zone; `timeProblems` checks whether it exists. */
export const TimeZone = v.pipe(v.string(), v.maxLength(64));

/** An opening time. One that ends before it begins ends on the next day. */
const Interval = v.strictObject({
  from: v.pipe(
    v.string(),
    v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Expected a time from 00:00 to 23:59, such as 09:00.'),
  ),
  to: v.pipe(
    v.string(),
    v.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Expected a time from 00:00 to 24:00, such as 17:00.'),
  ),
});
const Intervals = v.pipe(v.array(Interval), v.maxLength(mostIntervals));

/** When a project is open in a week, in its time zone. A day that is left out is closed. */
export const OpeningHours = v.strictObject({
  monday: v.exactOptional(Intervals),
  tuesday: v.exactOptional(Intervals),
  wednesday: v.exactOptional(Intervals),
  thursday: v.exactOptional(Intervals),
  friday: v.exactOptional(Intervals),
  saturday: v.exactOptional(Intervals),
  sunday: v.exactOptional(Intervals),
});
export type OpeningHours = v.InferOutput<typeof OpeningHours>;

/** Days on which a project is closed, whatever its hours; `timeProblems` checks whether they exist. */
export const ClosedDates = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^(\d{4}-)?\d\d-\d\d$/, 'Expected a date such as 2026-12-25, or 12-25 for each year.'),
    ),
  ),
  v.maxLength(mostClosedDates),
);

/** Problems of a project's time that its schemas cannot express. */
export function timeProblems({
  timeZone,
  openingHours,
  closedOn = [],
}: {
  readonly timeZone?: string | undefined;
  readonly openingHours?: OpeningHours | null | undefined;
  readonly closedOn?: readonly string[] | undefined;
}): InputProblem[] {
  const problems: InputProblem[] = [];
  if (timeZone !== undefined && !isTimeZone(timeZone))
    problems.push({
      path: ['timeZone'],
      message: 'Expected a time zone of the IANA database, such as Europe/Berlin, America/New_York or UTC.',
    });
  for (const [day, intervals] of Object.entries(openingHours ?? {}))
    for (const [index, { from, to }] of intervals.entries())
      if (from === to)
        problems.push({
          path: ['openingHours', day, index],
          message:
            'Expected from and to to differ: 00:00 to 24:00 is the whole day, and a closed day has no times.',
        });
  for (const [index, date] of closedOn.entries())
    if (!isDate(date) && !isYearlyDate(date))
      problems.push({ path: ['closedOn', index], message: `There is no ${date} in the calendar.` });
  return problems;
}

/** When a project is open. */
export interface Opening {
  /** null: nobody has said, so that the project counts as open. */
  readonly openingHours: OpeningHours | null;
  readonly closedOn: readonly string[];
}

/** When a project is open, and in which time zone. */
export interface ProjectTime extends Opening {
  /** A name of the IANA database. */
  readonly timeZone: string;
}

/**
 * True if a project is open at a local time. An opening time that ends after midnight belongs to the day on which it begins,
 * also if that day or the next one is in `closedOn`.
 */
export function isOpenAt({ openingHours, closedOn }: Opening, { date, time }: LocalTime): boolean {
  const isClosed = (day: string) => closedOn.some((written) => isOn(day, written));
  if (openingHours === null) return !isClosed(date);
  const timesOf = (day: string) => (isClosed(day) ? [] : (openingHours[weekdayOf(day)] ?? []));
  return (
    timesOf(date).some(({ from, to }) => from <= time && (time < to || to < from)) ||
    timesOf(datePlus(date, -1)).some(({ from, to }) => to < from && time < to)
  );
}
