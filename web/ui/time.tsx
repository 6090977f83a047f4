const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** Seconds of each unit, largest first. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
/** Seconds. After a week, the date says more than "8 days ago". */
const week = 604_800;

/** A time as "3 hours ago", or as a date if it is more than a week ago. Its title is the exact time. */
export function Time({ value }: { value: string }) {
  const date = new Date(value);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  const text =
    Math.abs(seconds) > week
      ? absolute.format(date)
      : unit
        ? relative.format(Math.trunc(seconds / unit[1]), unit[0])
        : 'just now';
  return (
    <time dateTime={value} title={absolute.format(date)}>
      {text}
    </time>
  );
}
