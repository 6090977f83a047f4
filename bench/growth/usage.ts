import { fillUsage } from '../../test/faults/usage-events.ts';
import { type Curve, type Effort, growCurves, type Question } from './curves.ts';
import type { Database, Databases } from './databases.ts';

const minute = 60_000;
const hour = 60 * minute;
const days = 29;

const thisHour = Math.floor(Date.now() / hour) * hour;
const wholeHours = rangeOf(thisHour - days * 24 * hour, thisHour);
/** As far from hours and from sums of five minutes as possible. */
const offset = 27.5 * minute;
const betweenSums = rangeOf(thisHour - days * 24 * hour - offset, thisHour - offset);

function rangeOf(from: number, to: number): string {
  return String(new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }));
}

const questions: readonly Question<string>[] = [
  {
    name: 'project report, whole hours',
    call: (projectId) => ({ method: 'GET', path: `/v1/projects/${projectId}/usage?${wholeHours}` }),
  },
  {
    name: 'project report, ends between sums',
    call: (projectId) => ({ method: 'GET', path: `/v1/projects/${projectId}/usage?${betweenSums}` }),
  },
  {
    name: 'organization report, ends between sums',
    call: () => ({ method: 'GET', path: `/v1/organization/usage?${betweenSums}` }),
  },
];

/** Measures the usage reports for these numbers of events in the project. */
export async function usageCurves(
  databases: Databases,
  sizes: readonly number[],
  effort: Effort,
): Promise<Curve[]> {
  const fill = async ({ session, projectId }: Database, rows: number) => {
    await fillUsage(session, projectId, rows);
    return projectId;
  };
  return growCurves(databases, sizes, fill, questions, effort);
}
