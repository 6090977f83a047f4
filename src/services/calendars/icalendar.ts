import ICAL from 'ical.js';
import { OutsideFailure } from '../../platform/errors.ts';
import { isTimeZone, momentAt } from '../../platform/local-time.ts';
import type { Appointment, Interval } from './calendar.ts';

/** A calendar object that cannot be read. The message is for the owner of the calendar. */
export class UnreadableCalendar extends OutsideFailure {
  override readonly name = 'UnreadableCalendar';
}

/** Occurrences of one event that are looked at: 27 years of a daily one. A rule that repeats each second would take hours. */
const mostOccurrences = 10_000;

/** The property that holds the phone number of a caller, by which a later call finds the appointment. */
const phoneProperty = 'x-parley-phone';

/**
 * What an iCalendar object (RFC 5545) keeps busy in a stretch of time. Transparent and cancelled events keep nothing busy; an
 * all-day event keeps its days busy.
 * @param timeZone of all-day events, and of times without a zone
 */
export function busyIn(text: string, within: Interval, timeZone: string): Interval[] {
  const calendar = parsed(text);
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((component) => [String(component.getFirstPropertyValue('tzid')), new ICAL.Timezone(component)]),
  );
  const clock: Clock = { timeZone, zones };
  const busy: Interval[] = [];
  for (const component of calendar.getAllSubcomponents('vevent')) {
    if (!isBusy(component)) continue;
    for (const occurrence of occurrencesOf(component, within, clock))
      if (occurrence.from < within.to && within.from < occurrence.to) busy.push(occurrence);
  }
  return busy;
}

interface Clock {
  readonly timeZone: string;
  readonly zones: ReadonlyMap<string, ICAL.Timezone>;
}

function parsed(text: string): ICAL.Component {
  try {
    return new ICAL.Component(ICAL.parse(text) as unknown[]);
  } catch (error) {
    throw new UnreadableCalendar('The calendar has an event that cannot be read.', { cause: error });
  }
}

function textIn(component: ICAL.Component, name: string): string {
  return String(component.getFirstPropertyValue(name) ?? '');
}

function isBusy(component: ICAL.Component): boolean {
  return (
    textIn(component, 'transp').toUpperCase() !== 'TRANSPARENT' &&
    textIn(component, 'status').toUpperCase() !== 'CANCELLED'
  );
}

/** The occurrences of an event until the end of a stretch of time, without those that an event of their own replaces. */
function* occurrencesOf(component: ICAL.Component, within: Interval, clock: Clock): Generator<Interval> {
  const event = new ICAL.Event(component);
  const zone = zoneIn(component, 'dtstart');
  const from = instant(event.startDate, zone, clock);
  const length = lengthOf(component, event, clock) - from;
  if (component.hasProperty('recurrence-id') || !event.isRecurring()) {
    yield { from, to: from + length };
    return;
  }
  const replaced = new Set(
    (component.parent?.getAllSubcomponents('vevent') ?? []).flatMap((other) =>
      other.hasProperty('recurrence-id') && textIn(other, 'uid') === event.uid
        ? [instant(new ICAL.Event(other).recurrenceId, zoneIn(other, 'recurrence-id'), clock)]
        : [],
    ),
  );
  const iterator = event.iterator();
  for (let count = 0; ; count++) {
    if (count >= mostOccurrences)
      throw new UnreadableCalendar(
        `The calendar has an event with more than ${mostOccurrences} occurrences.`,
      );
    const next = iterator.next() as ICAL.Time | null;
    if (!next) return;
    const start = instant(next, zone, clock);
    if (start >= within.to) return;
    if (!replaced.has(start)) yield { from: start, to: start + length };
  }
}

/** The end of the first occurrence. */
function lengthOf(component: ICAL.Component, event: ICAL.Event, clock: Clock): number {
  const end = component.hasProperty('dtend') ? zoneIn(component, 'dtend') : zoneIn(component, 'dtstart');
  return instant(event.endDate, end, clock);
}

function zoneIn(component: ICAL.Component, name: string): string | undefined {
  const zone = component.getFirstProperty(name)?.getFirstParameter('tzid');
  return typeof zone === 'string' ? zone : undefined;
}

/** The instant of a time, in milliseconds since 1970. */
function instant(time: ICAL.Time, zone: string | undefined, { timeZone, zones }: Clock): number {
  const { year, month, day, hour, minute, second } = time;
  const shown = time.isDate
    ? Date.UTC(year, month - 1, day)
    : Date.UTC(year, month - 1, day, hour, minute, second);
  if (!time.isDate && time.zone === ICAL.Timezone.utcTimezone) return shown;
  if (time.isDate || zone === undefined) return instantOf(shown, timeZone);
  if (isTimeZone(zone)) return instantOf(shown, zone);
  const own = zones.get(zone);
  return own ? shown - own.utcOffset(time) * 1_000 : instantOf(shown, timeZone);
}

/** The instant at which clocks of a zone show a time, which is given as if they showed UTC. */
function instantOf(shown: number, timeZone: string): number {
  const text = new Date(shown).toISOString();
  const [date, time] = [
    text.slice(0, 'YYYY-MM-DD'.length),
    text.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length),
  ];
  return momentAt({ date, time }, timeZone).getTime() + (shown % 60_000);
}

/** The calendar object of an appointment (RFC 5545). Its text is escaped and folded. */
export function eventOf(appointment: Appointment, now: number): string {
  const { id, title, name, phone, email } = appointment;
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Parley//Calendar//EN');
  const event = new ICAL.Component('vevent');
  calendar.addSubcomponent(event);
  event.addPropertyWithValue('uid', id);
  event.addPropertyWithValue('dtstamp', utc(now));
  event.addPropertyWithValue('dtstart', utc(appointment.from));
  event.addPropertyWithValue('dtend', utc(appointment.to));
  event.addPropertyWithValue('summary', title);
  event.addPropertyWithValue('status', 'CONFIRMED');
  const described = [name, phone, email].filter((text) => text !== undefined && text !== '');
  if (described.length > 0) event.addPropertyWithValue('description', described.join('\n'));
  if (phone !== undefined) event.addPropertyWithValue(phoneProperty, phone);
  return `${calendar.toString()}\r\n`;
}

/** The calendar object with its appointment at another time. */
export function movedEvent(text: string, { from, to }: Interval, now: number): string {
  const calendar = parsed(text);
  const event = calendar.getFirstSubcomponent('vevent');
  if (!event) throw new UnreadableCalendar('The appointment has no event.');
  const sequence = Number(event.getFirstPropertyValue('sequence') ?? 0);
  event.removeAllProperties('duration');
  for (const name of ['dtstart', 'dtend', 'dtstamp', 'sequence']) event.removeAllProperties(name);
  event.addPropertyWithValue('dtstart', utc(from));
  event.addPropertyWithValue('dtend', utc(to));
  event.addPropertyWithValue('dtstamp', utc(now));
  event.addPropertyWithValue('sequence', String(sequence + 1));
  return `${calendar.toString()}\r\n`;
}

/** The id and the phone number of an appointment that Parley has made. */
export function appointmentIn(text: string): { readonly id: string; readonly phone: string } | undefined {
  const event = parsed(text).getFirstSubcomponent('vevent');
  return event ? { id: textIn(event, 'uid'), phone: textIn(event, phoneProperty) } : undefined;
}

function utc(moment: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(moment), true);
}
