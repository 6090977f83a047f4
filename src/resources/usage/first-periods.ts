import type { JsonObject } from '../../operation/result.ts';
import { shortenList } from '../record/shorten-list.ts';

interface Report {
  readonly points: readonly { readonly periodStart: string }[];
}

/** Leaves room for the other members in 40 KB of UTF-8. */
const characters = 39_000;

/** Shortens a long report for an agent to its first whole periods, and says where to continue. */
export function firstPeriods(report: Report): JsonObject {
  const fit = shortenList(report.points, characters);
  const nextFrom = report.points[fit.length]?.periodStart;
  return {
    ...report,
    points: fit.filter(({ periodStart }) => periodStart !== nextFrom),
    truncated: true,
    nextFrom,
    hint: 'More follows: call again with nextFrom as from, and this to and granularity; or ask for longer periods.',
  };
}
