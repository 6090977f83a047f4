/** Remembered, because a formatter takes 0.1 ms to make. */
const formats = new Map<string, Intl.DateTimeFormat | undefined>();

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (formats.has(timeZone)) return formats.get(timeZone);
  let format: Intl.DateTimeFormat | undefined;
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  // Calendars name zones; a few hundred exist, but a hostile one may invent more.
  if (formats.size < 1_000) formats.set(timeZone, format);
  return format;
}

/** True for a zone of the IANA database. */
export function isTimeZone(timeZone: string): boolean {
  return formatOf(timeZone) !== undefined;
}

/** What clocks show in a zone, as if it were UTC: milliseconds since 1970. */
function clockOf(instant: number, timeZone: string): number {
  const format = formatOf(timeZone);
  if (!format) throw new RangeError('there is no such time zone');
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/**
 * The instant at which clocks of a zone show a time, in milliseconds since 1970. A time that they skip is the one an hour later;
 * one that they show twice is the first.
 * @param clock YYYY-MM-DDTHH:MM, also with seconds, or milliseconds as if the clock were UTC
 */
export function instantOf(clock: string | number, timeZone: string): number {
  const wanted = typeof clock === 'number' ? clock : Date.parse(`${clock}Z`);
  const offsetAt = (instant: number) => clockOf(instant, timeZone) - Math.floor(instant / 1_000) * 1_000;
  // A day before, the offset is the one that held before a change.
  const before = wanted - offsetAt(wanted - 86_400_000);
  if (clockOf(before, timeZone) === wanted) return before;
  const after = wanted - offsetAt(wanted + 86_400_000);
  return clockOf(after, timeZone) === wanted ? after : before;
}

/** What clocks of a zone show at an instant: YYYY-MM-DDTHH:MM. */
export function clockAt(instant: number, timeZone: string): string {
  return new Date(clockOf(instant, timeZone)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}
