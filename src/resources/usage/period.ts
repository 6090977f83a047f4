import type { TimeRange } from './range-store.ts';
import type { Granularity } from './store.ts';

const hour = 3_600_000;
const day = 24 * hour;
const week = 7 * day;
/** The first Monday of 1970. */
const monday = 4 * day;

/** The start of the period that holds a moment, both in milliseconds since 1970. */
function startOf(at: number, granularity: Granularity): number {
  if (granularity === 'hour') return at - modulo(at, hour);
  if (granularity === 'day') return at - modulo(at, day);
  if (granularity === 'week') return at - modulo(at - monday, week);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The end of the period that begins at `start`. */
export function endOf(start: number, granularity: Granularity): number {
  if (granularity === 'hour') return start + hour;
  if (granularity === 'day') return start + day;
  if (granularity === 'week') return start + week;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** How many periods a range touches. */
export function countPeriods({ from, to }: TimeRange, granularity: Granularity): number {
  const [first, last] = [startOf(from, granularity), startOf(to - 1, granularity)];
  if (granularity === 'month') return monthOf(last) - monthOf(first) + 1;
  return (last - first) / (endOf(first, granularity) - first) + 1;
}

/** The finest of day, week and month that splits a range into at most `periods`; month if none does. */
export function finestWithin(range: TimeRange, periods: number): Granularity {
  const fine = (['day', 'week'] as const).find((granularity) => countPeriods(range, granularity) <= periods);
  return fine ?? 'month';
}

function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Never negative, so that a moment before 1970 has a period too. */
function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
