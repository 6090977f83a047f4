import { isBetween, type Weekday, weekdayOf, weekdays } from '../platform/calendar.ts';
import type { CalendarDate } from './schema/calendar-date.ts';

/** When a call began, on the clock and the calendar of its project. */
export interface CallMoment {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:MM`. */
  readonly time: string;
  readonly isOpen: boolean;
}

/** The moment of a call that does not say when it began. It is a Monday. */
export const usualMoment: CallMoment = { date: '2026-03-02', time: '09:30', isOpen: true };

/** A day as numbers, because the proof looks at every day of a century. */
interface Day {
  /** 20261224 for 24 December 2026. */
  readonly number: number;
  /** 0 is Monday. */
  readonly weekday: number;
}

/** A condition on the moment of a call: all of its tests hold. */
export interface Decider {
  readonly day?: ((day: Day) => boolean) | undefined;
  readonly time?: ((time: string) => boolean) | undefined;
  readonly open?: ((isOpen: boolean) => boolean) | undefined;
}

export function deciderOf({ on, from, to, weekdays: named, between, openingHours }: CalendarDate): Decider {
  const tests: ((day: Day) => boolean)[] = [];
  if (on) {
    const dates = new Set(on.map(numberOf));
    tests.push(({ number }) => dates.has(number) || dates.has(number % years));
  }
  if (from !== undefined || to !== undefined) tests.push(rangeTest(from, to));
  if (named) {
    const isNamed = weekdays.map((weekday) => named.includes(weekday));
    tests.push(({ weekday }) => isNamed[weekday] === true);
  }
  const [first, second] = between ?? [];
  const [one] = tests;
  return {
    day: tests.length > 1 ? (day) => tests.every((test) => test(day)) : one,
    time: first === undefined || second === undefined ? undefined : (time) => isBetween(time, first, second),
    open: openingHours && ((isOpen) => isOpen === (openingHours === 'open')),
  };
}

/** True if a call began when a condition says. */
export function isAt(condition: CalendarDate, { date, time, isOpen }: CallMoment): boolean {
  const day = { number: numberOf(date), weekday: weekdays.indexOf(weekdayOf(date)) };
  return decides(deciderOf(condition), day, time, isOpen);
}

function decides({ day: ofDay, time: ofTime, open }: Decider, day: Day, time: string, isOpen: boolean) {
  return (ofDay?.(day) ?? true) && (ofTime?.(time) ?? true) && (open?.(isOpen) ?? true);
}

/** A range of days, the last one included. One of each year may go over New Year. */
function rangeTest(from: string | undefined, to: string | undefined): (day: Day) => boolean {
  const isYearly = (from ?? to ?? '').length === 'MM-DD'.length;
  const first = from === undefined ? 0 : numberOf(from);
  const last = to === undefined ? Number.POSITIVE_INFINITY : numberOf(to);
  return ({ number }) => {
    const day = isYearly ? number % years : number;
    return first <= last ? first <= day && day <= last : first <= day || day <= last;
  };
}

/** What a day of one year is more than the same day of the year before, as a number. */
const years = 10_000;

/** The digits of a date, with or without its year. */
function numberOf(date: string): number {
  return Number(date.replaceAll('-', ''));
}

/** A day as `YYYY-MM-DD`. */
export function dateOf({ number }: Day): string {
  const digits = String(number).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** The weekday of a day. */
export function weekdayNameOf({ weekday }: Day): Weekday {
  return weekdays[weekday] ?? 'monday';
}

let everyDay: readonly Day[] | undefined;

/** Every day of the century, from that of {@link usualMoment} on. Made at the first use. */
function days(): readonly Day[] {
  if (everyDay) return everyDay;
  const found: Day[] = [];
  // 1 January 2000 was a Saturday.
  let weekday = weekdays.indexOf('saturday');
  for (let year = 2000; year < 2100; year++)
    for (let month = 1; month <= 12; month++) {
      const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
      for (let day = 1; day <= length; day++) {
        found.push({ number: year * years + month * 100 + day, weekday });
        weekday = (weekday + 1) % weekdays.length;
      }
    }
  const usual = found.findIndex(({ number }) => number === numberOf(usualMoment.date));
  everyDay = [...found.slice(usual), ...found.slice(0, usual)];
  return everyDay;
}

const minutesOfDay = 1_440;

/** Every minute of a day, from that of {@link usualMoment} on. */
const times: readonly string[] = Array.from({ length: minutesOfDay }, (_, minute) => {
  const [hours = 0, minutes = 0] = usualMoment.time.split(':').map(Number);
  const at = (hours * 60 + minutes + minute) % minutesOfDay;
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
});

/** True for a condition that some day of the century meets, at some time. */
export function canBeMet({ day, time }: Decider): boolean {
  return (!day || days().some(day)) && (!time || times.some(time));
}

/** Conditions whose moments are all told apart: each looks at 36,525 days. */
const mostDeciders = 32;
/** Combinations of days and times that are looked at. */
const mostCombinations = 20_000;

/**
 * One moment for each way in which conditions hold and do not hold together; the first is {@link usualMoment}. If there are too
 * many, `isComplete` is false.
 */
export function momentsOf(
  deciders: readonly Decider[],
  most: number,
): { readonly moments: readonly CallMoment[]; readonly isComplete: boolean } {
  const told = deciders.slice(0, mostDeciders);
  const ofDays = apart(
    days(),
    told.flatMap(({ day }) => day ?? []),
  );
  const ofTimes = apart(
    times,
    told.flatMap(({ time }) => time ?? []),
  );
  const ofOpening = told.some(({ open }) => open) ? [true, false] : [true];
  const moments = new Map<string, CallMoment>();
  let combinations = 0;
  for (const day of ofDays)
    for (const time of ofTimes)
      for (const isOpen of ofOpening) {
        combinations += 1;
        if (combinations > mostCombinations) return { moments: [...moments.values()], isComplete: false };
        const holding = told.map((one) => (decides(one, day, time, isOpen) ? '1' : '0')).join('');
        if (moments.has(holding)) continue;
        if (moments.size === most) return { moments: [...moments.values()], isComplete: false };
        moments.set(holding, { date: dateOf(day), time, isOpen });
      }
  return { moments: [...moments.values()], isComplete: told.length === deciders.length };
}

/** The first of the values for each way in which tests hold and do not hold together. */
function apart<Value>(values: readonly Value[], tests: readonly ((value: Value) => boolean)[]): Value[] {
  // The class of each value: every test divides each class into two.
  const classes = new Int32Array(values.length);
  let count = 1;
  for (const test of tests) {
    const divided = new Int32Array(2 * count).fill(-1);
    count = 0;
    let index = 0;
    for (const value of values) {
      const half = 2 * (classes[index] ?? 0) + Number(test(value));
      if (divided[half] === -1) divided[half] = count++;
      classes[index] = divided[half] ?? 0;
      index += 1;
    }
  }
  const first = new Map<number, Value>();
  let index = 0;
  for (const value of values) {
    const ofClass = classes[index] ?? 0;
    if (!first.has(ofClass)) first.set(ofClass, value);
    if (first.size === count) break;
    index += 1;
  }
  return [...first.values()];
}
