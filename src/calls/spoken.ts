import { plainName } from '../design/system-variables.ts';
import { isList } from '../design/value.ts';
import { weekdays } from '../platform/calendar.ts';
import type { Json } from './json-value.ts';
import { dayOf, isClock } from './slots.ts';

/** Remembered, because a formatter takes 0.15 ms to make. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const weekdayFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * A value as a person says it. A date (YYYY-MM-DD) becomes its weekday, month and day. In English, a time (HH:MM) becomes 3 PM.
 * Times of a calendar are a choice: each day is said once.
 * @param language a code of ISO 639-1
 * @param name of the variable; `callWeekday` is said in the language of the call
 */
export function spoken(value: Json | undefined, language: string, name?: string): Json | undefined {
  if (isList(value)) return value.length > 0 && value.every(isClock) ? spokenChoice(value, language) : value;
  if (typeof value !== 'string') return value;
  if (isClock(value)) return spokenChoice([value], language);
  if (name !== undefined && plainName(name) === 'callWeekday') return spokenWeekday(value, language);
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return spokenDate(value, language);
  return language === 'en' && /^\d{2}:\d{2}$/.test(value) ? spokenTime(value) : value;
}

function spokenDate(date: string, language: string): string {
  const moment = Date.parse(`${date}T12:00:00Z`);
  if (Number.isNaN(moment)) return date;
  const format =
    dateFormats.get(language) ??
    new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
  dateFormats.set(language, format);
  return format.format(moment);
}

function spokenWeekday(weekday: string, language: string): string {
  const index = (weekdays as readonly string[]).indexOf(weekday);
  if (index === -1) return weekday;
  const format =
    weekdayFormats.get(language) ?? new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  weekdayFormats.set(language, format);
  // 1 January 2001 was a Monday.
  return format.format(Date.UTC(2001, 0, 1 + index));
}

/** Such as Tuesday, March 3 at 9 AM, 9:30 AM, or 11 AM. */
function spokenChoice(times: readonly string[], language: string): string {
  const said = times.map((clock, index) => {
    const previous = times[index - 1];
    const isSameDay = previous !== undefined && dayOf(previous) === dayOf(clock);
    return formatOf(isSameDay ? 'time' : 'moment', language)
      .format(Date.parse(`${clock}Z`))
      .replace(/:00(?=\s[AP]M)/, '');
  });
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(said);
}

const momentFormats = {
  moment: { weekday: 'long', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  time: { hour: 'numeric', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function formatOf(kind: keyof typeof momentFormats, language: string): Intl.DateTimeFormat {
  const name = `${kind} ${language}`;
  const format =
    dateFormats.get(name) ?? new Intl.DateTimeFormat(language, { ...momentFormats[kind], timeZone: 'UTC' });
  dateFormats.set(name, format);
  return format;
}

function spokenTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const hour = hours % 12 === 0 ? 12 : hours % 12;
  const past = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `${hour}${past} ${hours < 12 ? 'AM' : 'PM'}`;
}
