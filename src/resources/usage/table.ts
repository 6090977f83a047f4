import type { JsonObject } from '../../operation/result.ts';
import { shortenList } from '../record/shorten-list.ts';

/** What was used, as far as a table shows it. */
interface Total {
  readonly service: string;
  readonly mode: string | null;
  readonly metric: string;
  readonly quantity: number;
  readonly cost?: string;
  readonly currency?: string;
}

interface Report {
  readonly from: string;
  readonly to: string;
  readonly granularity: string;
  readonly points: readonly (Total & { readonly periodStart: string })[];
}

/** Characters of the rows: leaves room for the other members in 40 KB of UTF-8. */
const mostCharacters = 38_000;

/**
 * A report as MCP shows it: one row for each period that has any use, one column for each thing used. In a long report the
 * last periods are left out, and `nextFrom` says where to continue.
 */
export function usageTable({ from, to, granularity, points }: Report): JsonObject {
  if (points.length === 0)
    return { from, to, granularity, note: `The project used nothing from ${from} to ${to}.` };
  const columns = [...new Set(points.flatMap(columnsOf))].toSorted();
  const costs = new Set(points.flatMap((point) => columnsOf(point).slice(1)));
  const periods = Map.groupBy(points, ({ periodStart }) => periodStart);
  const rows = [...periods].map(([start, used]) => {
    const cells = new Map(used.flatMap(cellsOf));
    return [
      shortTime(start, granularity),
      ...columns.map((column) => cells.get(column) ?? (costs.has(column) ? null : 0)),
    ];
  });
  const fit = shortenList(rows, mostCharacters);
  const nextFrom = [...periods.keys()][fit.length];
  return {
    from,
    to,
    granularity,
    columns: ['from', ...columns],
    rows: fit,
    ...(nextFrom !== undefined && {
      truncated: true,
      nextFrom,
      hint: 'More follows: call again with nextFrom as from, and this to and granularity; or ask for longer periods.',
    }),
  };
}

/** What an organization used as MCP shows it: one row for each thing used. */
export function totalsTable(totals: readonly Total[]): JsonObject {
  return { used: Object.fromEntries(totals.flatMap(cellsOf)) };
}

/** What was used and, if it has a price, its cost; by their columns. */
function cellsOf(total: Total): (readonly [column: string, value: number | string])[] {
  const [used = '', ...costs] = columnsOf(total);
  return [[used, total.quantity], ...costs.map((column) => [column, total.cost ?? ''] as const)];
}

/** Such as `llm realtime tokens_in` and `llm realtime tokens_in EUR`. */
function columnsOf({ service, mode, metric, currency }: Total): readonly string[] {
  const used = [service, ...(mode === null ? [] : [mode]), metric].join(' ');
  return currency === undefined ? [used] : [used, `${used} ${currency}`];
}

/** The start of an hour with its time, and of a longer period, which is a day in UTC, without. */
function shortTime(start: string, granularity: string): string {
  return granularity === 'hour' ? start.replace(':00.000Z', 'Z') : start.slice(0, 'yyyy-mm-dd'.length);
}
