import { datePlus, isBetween, type Weekday, weekdayOf } from '../platform/calendar.ts';
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

interface Day {
  readonly date: string;
  /** `MM-DD`. */
  readonly yearly: string;
  readonly weekday: Weekday;
}

/** A condition on the moment of a call: all of its tests hold. */
export interface Decider {
  readonly day?: ((day: Day) => boolean) | undefined;
  readonly time?: ((time: string) => boolean) | undefined;
  readonly open?: ((isOpen: boolean) => boolean) | undefined;
}

export function deciderOf({ on, from, to, weekdays, between, openingHours }: CalendarDate): Decider {
  const tests: ((day: Day) => boolean)[] = [];
  if (on) {
    const dates = new Set(on);
    tests.push(({ date, yearly }) => dates.has(date) || dates.has(yearly));
  }
  if (from !== undefined || to !== undefined) tests.push((day) => isInRange(day, from, to));
  if (weekdays) {
    const days = new Set(weekdays);
    tests.push(({ weekday }) => days.has(weekday));
  }
  const [first, second] = between ?? [];
  return {
    day: tests.length > 0 ? (day) => tests.every((test) => test(day)) : undefined,
    time: first === undefined || second === undefined ? undefined : (time) => isBetween(time, first, second),
    open: openingHours && ((isOpen) => isOpen === (openingHours === 'open')),
  };
}

/** True if a call began when a condition says. */
export function isAt(condition: CalendarDate, moment: CallMoment): boolean {
  return decides(deciderOf(condition), dayOf(moment.date), moment.time, moment.isOpen);
}

function decides({ day: ofDay, time: ofTime, open }: Decider, day: Day, time: string, isOpen: boolean) {
  return (ofDay?.(day) ?? true) && (ofTime?.(time) ?? true) && (open?.(isOpen) ?? true);
}

/** A range of days, the last one included. One of each year may go over New Year. */
function isInRange({ date, yearly }: Day, from: string | undefined, to: string | undefined): boolean {
  const isYearly = (from ?? to ?? '').length === 'MM-DD'.length;
  const day = isYearly ? yearly : date;
  const [isAfter, isBefore] = [from === undefined || from <= day, to === undefined || day <= to];
  return isYearly && from !== undefined && to !== undefined && to < from
    ? isAfter || isBefore
    : isAfter && isBefore;
}

function dayOf(date: string): Day {
  return { date, yearly: date.slice('YYYY-'.length), weekday: weekdayOf(date) };
}

const [firstDay, lastDay] = ['2000-01-01', '2099-12-31'];

let everyDay: readonly Day[] | undefined;

/** Every day of the century, from that of {@link usualMoment} on. Made at the first use, in 20 ms. */
function days(): readonly Day[] {
  if (everyDay) return everyDay;
  const found: Day[] = [];
  let date = usualMoment.date;
  do {
    found.push(dayOf(date));
    date = date === lastDay ? firstDay : datePlus(date, 1);
  } while (date !== usualMoment.date);
  everyDay = found;
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
        moments.set(holding, { date: day.date, time, isOpen });
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
    for (const [index, value] of values.entries()) {
      const half = 2 * (classes[index] ?? 0) + Number(test(value));
      if (divided[half] === -1) divided[half] = count++;
      classes[index] = divided[half] ?? 0;
    }
  }
  const first = new Map<number, Value>();
  for (const [index, value] of values.entries()) {
    const ofClass = classes[index] ?? 0;
    if (!first.has(ofClass)) first.set(ofClass, value);
    if (first.size === count) break;
  }
  return [...first.values()];
}
