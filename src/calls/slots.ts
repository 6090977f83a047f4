import type { CalendarUse, weekdays } from '../design/schema/calendar.ts';
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

/** If the design says nothing. */
export const officeHours: Hours = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }];
export const allHours: Hours = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' },
];

export interface Window {
  readonly from: Clock;
  readonly to: Clock;
}

/** The stretches in which appointments can be: from the day that is wanted, but not in the past, for `daysAhead` days. */
export function windowsOf({ day, daysAhead }: CalendarWish, hours: Hours, now: Clock): Window[] {
  const today = now.slice(0, dayLength);
  const first = day !== undefined && isDay(day) && day > today ? day : today;
  return Array.from({ length: daysAhead }, (_, index) => dayAfter(first, index)).flatMap((date) =>
    hours
      .filter(({ days }) => days.includes(weekdayOf(date)))
      .map(({ from, to }) => ({
        from: `${date}T${from}`,
        to: to === '24:00' ? `${dayAfter(date, 1)}T00:00` : `${date}T${to}`,
      }))
      .filter(({ to }) => to > now)
      .map(({ from, to }) => ({ from: from > now ? from : nextQuarter(now), to }))
      .filter(({ from, to }) => from < to)
      .toSorted((one, other) => (one.from < other.from ? -1 : 1)),
  );
}

/** The time that the call wants, if it is complete. */
export function wantedStart({ day, time }: CalendarWish): Clock | undefined {
  return day !== undefined && isDay(day) && time !== undefined && /^\d{2}:\d{2}$/.test(time)
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
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) && isDay(dayOf(value));
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`));
}

/** A clock time some minutes later. */
export function later(clock: Clock, minutes: number): Clock {
  return clockOf(Date.parse(`${clock}Z`) + minutes * 60_000);
}

function dayAfter(day: string, days: number): string {
  return dayOf(later(`${day}T00:00`, days * 24 * 60));
}

/** Callers are not offered 10:07. */
function nextQuarter(now: Clock): Clock {
  const quarter = 15 * 60_000;
  return clockOf(Math.ceil(Date.parse(`${now}Z`) / quarter) * quarter);
}

function clockOf(moment: number): Clock {
  return new Date(moment).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

const names: readonly (typeof weekdays)[number][] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function weekdayOf(day: string): (typeof weekdays)[number] {
  return names[new Date(`${day}T00:00Z`).getUTCDay()] ?? 'sun';
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
