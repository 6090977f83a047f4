import type { CalendarUse } from '../design/schema/calendar.ts';
import { datePlus, isDate, isOn, isTime, weekdayOf, weekdays } from '../platform/calendar.ts';
import type { Json } from './json-value.ts';

/** Clock times are texts, YYYY-MM-DDTHH:MM in the time zone of the project: the engine knows no other. */
type Clock = string;

type Hours = NonNullable<CalendarUse['hours']>;

/** What a call wants of a calendar. */
export interface CalendarWish {
  readonly action: CalendarUse['action'];
  readonly minutes: number;
  /** Undefined: the calendar decides. */
  readonly hours?: Hours | undefined;
  readonly daysAhead: number;
  readonly offers: number;
  /** YYYY-MM-DD. */
  readonly day?: string | undefined;
  /** HH:MM. */
  readonly time?: string | undefined;
}

/** What came of it. `times` are free; `start` is that of the appointment. */
export interface CalendarResult {
  readonly outcome: 'free' | 'done' | 'taken' | 'none' | 'unknown';
  readonly times: readonly Clock[];
  readonly start?: Clock;
  readonly booking?: string;
}

/** When a project is open, as far as appointments are concerned. */
export interface Opening {
  readonly hours: Hours;
  /** Days on which it is closed, of one year or of each year. */
  readonly closedOn: readonly string[];
}

/** If neither the design nor the project says anything. */
export const officeHours: Hours = Object.fromEntries(
  weekdays.slice(0, 5).map((day) => [day, [{ from: '09:00', to: '17:00' }]]),
);
export const allHours: Hours = Object.fromEntries(
  weekdays.map((day) => [day, [{ from: '00:00', to: '24:00' }]]),
);

export interface Window {
  readonly from: Clock;
  readonly to: Clock;
}

/** The stretches in which appointments can be: from the day that is wanted, but not in the past, for `daysAhead` days. */
export function windowsOf(
  { day, daysAhead }: CalendarWish,
  { hours, closedOn }: Opening,
  now: Clock,
): Window[] {
  const today = dayOf(now);
  const first = day !== undefined && isDate(day) && day > today ? day : today;
  // What begins on the evening before may end in the night.
  const windows = Array.from({ length: daysAhead + 1 }, (_, index) => datePlus(first, index - 1))
    .filter((date) => !closedOn.some((written) => isOn(date, written)))
    .flatMap((date) =>
      (hours[weekdayOf(date)] ?? []).map(({ from, to }) => ({
        from: `${date}T${from}`,
        to: to === '24:00' ? `${datePlus(date, 1)}T00:00` : `${to <= from ? datePlus(date, 1) : date}T${to}`,
      })),
    );
  const earliest = first > today ? `${first}T00:00` : nextQuarter(now);
  return windows
    .map(({ from, to }) => ({ from: from.localeCompare(earliest) < 0 ? earliest : from, to }))
    .filter(({ from, to }) => from < to)
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
}

/** The time that the call wants, if it is complete. */
export function wantedStart({ day, time }: CalendarWish): Clock | undefined {
  return day !== undefined && isDate(day) && time !== undefined && isTime(time)
    ? `${day}T${time}`
    : undefined;
}

/** Whether an appointment fits into one of the windows. */
export function fits(start: Clock, { minutes }: CalendarWish, windows: readonly Window[]): boolean {
  const end = later(start, minutes);
  return windows.some(({ from, to }) => start >= from && end <= to);
}

/** The free times to offer: all on the first day that has any, and those nearest to the time that is wanted. */
export function offersOf({ offers, time }: CalendarWish, free: readonly Clock[]): Clock[] {
  const [first] = free;
  if (first === undefined) return [];
  const day = first.slice(0, dayLength);
  const ofDay = free.filter((clock) => clock.startsWith(day));
  if (time === undefined) return ofDay.slice(0, offers);
  const wanted = minutesOf(time);
  const away = (clock: Clock) => Math.abs(minutesOf(clock.slice(dayLength + 1)) - wanted);
  return ofDay
    .toSorted((one, other) => away(one) - away(other))
    .slice(0, offers)
    .toSorted();
}

const dayLength = 'YYYY-MM-DD'.length;

/** The day of a clock time. */
export function dayOf(clock: Clock): string {
  return clock.slice(0, dayLength);
}

/** The time of day of a clock time. */
export function timeOf(clock: Clock): string {
  return clock.slice(dayLength + 1);
}

export function isClock(value: Json | undefined): value is Clock {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) &&
    isDate(dayOf(value)) &&
    isTime(timeOf(value))
  );
}

/** A clock time some minutes later. */
export function later(clock: Clock, minutes: number): Clock {
  const minute = minutesOf(timeOf(clock)) + minutes;
  // Most are on the same day, and a search for calls asks for very many.
  if (minute >= 0 && minute < minutesOfDay)
    return `${dayOf(clock)}T${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
  return clockOf(Date.parse(`${clock}Z`) + minutes * 60_000);
}

/** Callers are not offered 10:07. */
function nextQuarter(now: Clock): Clock {
  const quarter = 15 * 60_000;
  return clockOf(Math.ceil(Date.parse(`${now}Z`) / quarter) * quarter);
}

function clockOf(moment: number): Clock {
  return new Date(moment).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

const minutesOfDay = 24 * 60;

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
