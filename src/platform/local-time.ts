/** What a calendar and a clock on the wall show: `YYYY-MM-DD` and `HH:MM`. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

/** Remembered, because a formatter takes 0.1 ms to make. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** Zones whose formatters are kept: there are about 600 names, which callers may write in upper and lower case. */
const mostFormats = 1_000;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  if (formats.size >= mostFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** True for a name of the IANA database, such as `Europe/Berlin` or `UTC`, but not for an offset such as `+01:00`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the clocks of a time zone show at a moment of the years 1 to 9999. */
export function localTimeAt(moment: Date, timeZone: string): LocalTime {
  const parts = formatOf(timeZone).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

/**
 * The moment at which the clocks of a time zone show a time: the first one, if they show it twice. A time that they skip
 * counts as if they had not been put forward, so that 02:30 becomes 03:30.
 */
export function momentAt({ date, time }: LocalTime, timeZone: string): Date {
  const shown = Date.parse(`${date}T${time}:00Z`);
  const day = 86_400_000;
  const candidates = [shown - day, shown + day].map((near) => shown - offsetAt(near, timeZone));
  const found = candidates.filter((moment) => moment + offsetAt(moment, timeZone) === shown);
  return new Date(found.length > 0 ? Math.min(...found) : Math.max(...candidates));
}

/** Milliseconds by which the clocks of a time zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  const { date, time } = localTimeAt(new Date(moment), timeZone);
  const minute = 60_000;
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(moment / minute) * minute;
}
