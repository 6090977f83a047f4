import type { Bindings } from '../../postgres/statement.ts';

/** Milliseconds since 1970; `to` is not included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const minute = 60_000;

/** A part of a range. Its quantities are added, or subtracted if `to` lies before `from`. */
interface Part {
  readonly source: 'hours' | 'five minutes' | 'events';
  readonly from: number;
  readonly to: number;
}

/**
 * Splits a range so that few rows are read. The sums of hours cover it from the hour nearest to its start to the hour
 * nearest to its end. At both ends, sums of five minutes and the events of at most two and a half minutes add what is
 * missing or subtract what is too much. Each part but the hours lies within one hour.
 */
function partsOf({ from, to }: TimeRange): Part[] {
  const nearest = (at: number, minutes: number) => Math.round(at / (minutes * minute)) * minutes * minute;
  const parts: Part[] = [
    { source: 'hours', from: nearest(from, 60), to: nearest(to, 60) },
    { source: 'five minutes', from: nearest(from, 5), to: nearest(from, 60) },
    { source: 'five minutes', from: nearest(to, 60), to: nearest(to, 5) },
    { source: 'events', from, to: nearest(from, 5) },
    { source: 'events', from: nearest(to, 5), to },
  ];
  return parts.filter((part) => part.from !== part.to);
}

/** Selects the rows of part `n`; its bindings end in `n`. `projects` is the condition on `project_id`. */
function selectPart({ source }: Part, projects: string, n: number): string {
  const what = `service, mode, metric, cast(:sign${n} as integer) * sum(quantity) as quantity,
    cast(:sign${n} as integer) * sum(cost) as cost`;
  const within = (time: string) => `project_id ${projects} and ${time} >= :from${n} and ${time} < :to${n}`;
  const group = 'group by 1, service, mode, metric';
  if (source === 'hours')
    return `select start, service, mode, metric, quantity, cost from usage_sums where minutes = 60 and ${within('start')}`;
  const start = `cast(:from${n} as timestamptz) as start`;
  if (source === 'five minutes')
    return `select ${start}, ${what} from usage_sums where minutes = 5 and ${within('start')} ${group}`;
  return `select ${start}, ${what} from usage_events where ${within('occurred_at')} ${group}`;
}

/**
 * Returns what was used in a range as a relation of the columns start, service, mode, metric, quantity and cost, with
 * the bindings of its SQL. Quantities and costs are `numeric`, so sums are exact.
 */
export function usedIn(range: TimeRange, projects: string): { used: string; bindings: Bindings } {
  const parts = partsOf(range);
  const used = parts.map((part, n) => selectPart(part, projects, n)).join(' union all ');
  const bindings = parts.flatMap(({ from, to }, n): [string, Date | number][] => [
    [`from${n}`, new Date(Math.min(from, to))],
    [`to${n}`, new Date(Math.max(from, to))],
    [`sign${n}`, from < to ? 1 : -1],
  ]);
  return { used: `(${used}) used`, bindings: Object.fromEntries(bindings) };
}
