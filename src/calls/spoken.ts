import type { Json } from './json-value.ts';

/** Remembered, because a formatter takes 0.15 ms to make. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * A value as a person says it. A date (YYYY-MM-DD) becomes its weekday, month and day. In English, a time (HH:MM) becomes 3 PM.
 * @param language a code of ISO 639-1
 */
export function spoken(value: Json | undefined, language: string): Json | undefined {
  if (typeof value !== 'string') return value;
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

function spokenTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const hour = hours % 12 === 0 ? 12 : hours % 12;
  const past = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `${hour}${past} ${hours < 12 ? 'AM' : 'PM'}`;
}
