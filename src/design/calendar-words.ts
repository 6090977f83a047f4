import { weekdays as everyWeekday, type Weekday, weekdayOf } from '../platform/calendar.ts';
import type { CallMoment } from './moments.ts';
import type { CalendarDate } from './schema/calendar-date.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Dates that are named; the others are counted. */
const mostNamed = 4;

/** A condition in words, such as `on 24 December, Monday to Friday, while open`. */
export function calendarWords({ on, from, to, weekdays, between, openingHours }: CalendarDate): string {
  const parts = [
    on && `on ${named(on)}`,
    range(from, to),
    weekdays && daysInWords(weekdays),
    between && `from ${between.join(' to ')}`,
    openingHours && `while ${openingHours}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** When a call began, as a sentence. */
export function momentWords({ date, time, isOpen }: CallMoment): string {
  const day = `${dateInWords(date)}, a ${capitalised(weekdayOf(date))}`;
  return `The call begins on ${day}, at ${time}, while ${isOpen ? 'open' : 'closed'}.`;
}

function named(dates: readonly string[]): string {
  const more = dates.length - mostNamed;
  const names = dates.slice(0, mostNamed).map(dateInWords);
  return listed(more > 0 ? [...names, `${more} more dates`] : names, more > 0 ? 'and' : 'or');
}

function range(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined) return to && `until ${dateInWords(to)}`;
  return to === undefined ? `from ${dateInWords(from)}` : `from ${dateInWords(from)} to ${dateInWords(to)}`;
}

/** Such as `24 December`, or `31 December 2026`. */
function dateInWords(date: string): string {
  const [day, month, year] = date.split('-').toReversed();
  return [Number(day), months[Number(month) - 1], year].filter((part) => part !== undefined).join(' ');
}

/** Such as `Monday to Friday`, or `Saturday or Sunday`. */
function daysInWords(days: readonly Weekday[]): string {
  const numbers = everyWeekday.flatMap((day, index) => (days.includes(day) ? [index] : []));
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const names = numbers.map((number) => capitalised(everyWeekday[number] ?? 'monday'));
  const isRun = names.length > 2 && last - first === names.length - 1;
  return isRun ? `${names[0]} to ${names.at(-1)}` : listed(names, 'or');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function listed(words: readonly string[], conjunction: 'and' | 'or'): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
