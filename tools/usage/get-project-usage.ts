import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { Timestamp } from '../../src/resources/record/timestamp.ts';
import { countPeriods, endOf, finestWithin } from '../../src/resources/usage/period.ts';
import { From, rangeOf, rangeProblems, To } from '../../src/resources/usage/range.ts';
import { Granularity, UsageTotal, withCurrency } from '../../src/resources/usage/schema.ts';
import { usageTable } from '../../src/resources/usage/table.ts';

/** Periods in a report whose granularity the caller chose. */
const maximumPeriods = 10_000;
/** Periods in a report without a granularity. */
const defaultPeriods = 1_000;

const UsagePoint = v.strictObject({ periodStart: Timestamp, periodEnd: Timestamp, ...UsageTotal.entries });

const Report = v.strictObject({
  projectId: Cuid,
  from: Timestamp,
  to: Timestamp,
  granularity: Granularity,
  points: v.array(UsagePoint),
});

export const getProjectUsage = defineTool({
  name: 'get_project_usage',
  title: 'Get project usage',
  description:
    'Shows what a project used, by service, mode and metric, in each UTC period that has any. from and to cut the first and the last.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/usage' },
  input: v.strictObject({
    projectId: ref('project'),
    from: From,
    to: To,
    granularity: v.optional(
      v.pipe(Granularity, v.description('Length of a period; default the finest from day that fits.')),
    ),
  }),
  output: Report,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  special: { unavailable: 'usage_unavailable' },
  check({ granularity, ...ends }) {
    const problems = rangeProblems(ends);
    if (problems.length > 0 || granularity === undefined) return problems;
    const periods = countPeriods(rangeOf(ends), granularity);
    if (periods <= maximumPeriods) return [];
    const message = `Splits this range into ${periods} periods; at most ${maximumPeriods} are possible.`;
    return [{ path: ['granularity'], message }];
  },
  mcp: {
    outputSchema: false,
    brief: (report) => usageTable(report as v.InferOutput<typeof Report>),
  },
  async handler({ stores, services }, { projectId, granularity: wanted, ...ends }) {
    const range = rangeOf(ends);
    const granularity = wanted ?? finestWithin(range, defaultPeriods);
    const points = await stores.usage.project(range, granularity);
    return {
      projectId,
      from: timestamp(range.from),
      to: timestamp(range.to),
      granularity,
      points: points.map(({ start, ...total }) => ({
        periodStart: timestamp(start),
        periodEnd: timestamp(endOf(start, granularity)),
        ...withCurrency(total, services.currency),
      })),
    };
  },
});

function timestamp(at: number): string {
  return new Date(at).toISOString();
}
