/** From Monday, as in ISO 8601. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

const millisecondsOfDay = 86_400_000;

/** True for a date that exists, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = Date.parse(`${text}T00:00:00Z`);
  // Some engines read 30 February as a day in March.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** True for a day of each year, as `MM-DD`. `02-29` comes in leap years only. */
export function isYearlyDate(text: string): boolean {
  return isDate(`2000-${text}`);
}

/** True for a time of day, as `HH:MM`. */
export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** The weekday of a date that exists. */
export function weekdayOf(date: string): Weekday {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekdays[(day + 6) % 7] ?? 'monday';
}

/** The date that is so many days after another one. */
export function datePlus(date: string, days: number): string {
  const moment = Date.parse(`${date}T00:00:00Z`) + days * millisecondsOfDay;
  return new Date(moment).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** True if a day is the one that is written as `YYYY-MM-DD`, or as `MM-DD` for each year. */
export function isOn(date: string, written: string): boolean {
  return written.length === 'MM-DD'.length ? date.endsWith(`-${written}`) : date === written;
}

/** True from `from` until just before `to`, over midnight if `to` is earlier. Both are times of day. */
export function isBetween(time: string, from: string, to: string): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}
