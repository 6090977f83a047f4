import * as v from 'valibot';
import type { InputProblem } from '../../operation/define.ts';
import { Moment, momentOf } from '../record/timestamp.ts';
import type { TimeRange } from './range-store.ts';

const thirtyDays = 30 * 24 * 3_600_000;

export const From = v.optional(
  v.pipe(Moment, v.description('Start, such as 2026-01-31T00:00:00Z; default 30 days before to.')),
);
export const To = v.optional(v.pipe(Moment, v.description('End, itself left out; default now.')));

interface Ends {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The range of a call (decisions#usage-reports); `rangeProblems` has checked its ends. */
export function rangeOf({ from, to }: Ends): TimeRange {
  const end = to === undefined ? Date.now() : Number(momentOf(to));
  return { from: from === undefined ? end - thirtyDays : Number(momentOf(from)), to: end };
}

/** Finds the problems of the ends of a range. */
export function rangeProblems(ends: Ends): InputProblem[] {
  const unreal = (['from', 'to'] as const).filter((name) => {
    const text = ends[name];
    return text !== undefined && momentOf(text) === undefined;
  });
  if (unreal.length > 0)
    return unreal.map((name) => ({ path: [name], message: 'Expected a time of the years 1970 to 9999.' }));
  const { from, to } = rangeOf(ends);
  return from < to ? [] : [{ path: ['from'], message: 'Must be before to.' }];
}
