import type { TimeRange } from './usage.ts';

const minute = 60_000;

/** A part of a range, which adds what lies between its ends, or takes it away where they stand the other way round. */
interface Part {
  readonly rows: 'hours' | 'five minutes' | 'events';
  readonly from: number;
  readonly to: number;
}

/**
 * A range by the sums of its hours, from the hour nearest to its start to the one nearest to its end, and of both ends
 * what is missing, or is too much and is taken away: by sums of five minutes, and by the events of two and a half
 * minutes at most. Each part but the hours lies within one hour.
 */
function partsOf({ from, to }: TimeRange): Part[] {
  const nearest = (at: number, minutes: number) => Math.round(at / (minutes * minute)) * minutes * minute;
  const parts: Part[] = [
    { rows: 'hours', from: nearest(from, 60), to: nearest(to, 60) },
    { rows: 'five minutes', from: nearest(from, 5), to: nearest(from, 60) },
    { rows: 'five minutes', from: nearest(to, 60), to: nearest(to, 5) },
    { rows: 'events', from, to: nearest(from, 5) },
    { rows: 'events', from: nearest(to, 5), to },
  ];
  return parts.filter((part) => part.from !== part.to);
}

/** The rows of a part, for named bindings that end in its number; `whose` selects the projects. */
function rowsOf({ rows }: Part, whose: string, n: number): string {
  const what = `service, mode, metric, :sign${n}::int * sum(quantity) as quantity`;
  const within = (time: string) => `project_id ${whose} and ${time} >= :from${n} and ${time} < :to${n}`;
  const group = 'group by 1, service, mode, metric';
  if (rows === 'hours')
    return `select start, service, mode, metric, quantity from usage_sums where minutes = 60 and ${within('start')}`;
  const start = `:from${n}::timestamptz as start`;
  if (rows === 'five minutes')
    return `select ${start}, ${what} from usage_sums where minutes = 5 and ${within('start')} ${group}`;
  return `select ${start}, ${what} from usage_events where ${within('occurred_at')} ${group}`;
}

/** What was used in a range, as a relation, and its bindings. Sums are exact as `numeric` is. */
export function usedIn(
  range: TimeRange,
  whose: string,
): { used: string; bindings: Record<string, Date | number> } {
  const parts = partsOf(range);
  const used = parts.map((part, n) => rowsOf(part, whose, n)).join(' union all ');
  const bindings = parts.flatMap(({ from, to }, n): [string, Date | number][] => [
    [`from${n}`, new Date(Math.min(from, to))],
    [`to${n}`, new Date(Math.max(from, to))],
    [`sign${n}`, from < to ? 1 : -1],
  ]);
  return { used: `(${used}) used`, bindings: Object.fromEntries(bindings) };
}
