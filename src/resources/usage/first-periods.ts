import type { JsonObject } from '../../tool/result.ts';
import { fitting } from '../fitting.ts';

interface Report {
  readonly points: readonly { readonly periodStart: string }[];
}

/** About 40 KB of UTF-8, with what stands around the points. */
const characters = 39_000;

/** What an agent is answered of a long report: its first periods, whole ones, and where to go on. */
export function firstPeriods(report: Report): JsonObject {
  const fit = fitting(report.points, characters);
  const nextFrom = report.points[fit.length]?.periodStart;
  return {
    ...report,
    points: fit.filter(({ periodStart }) => periodStart !== nextFrom),
    truncated: true,
    nextFrom,
    hint: 'More follows: call again with nextFrom as from, and this to and granularity; or ask for longer periods.',
  };
}
