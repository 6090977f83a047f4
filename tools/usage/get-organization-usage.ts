import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid } from '../../src/operation/reference.ts';
import { From, rangeOf, rangeProblems, To } from '../../src/resources/usage/range.ts';
import { UsageTotal, withCurrency } from '../../src/resources/usage/schema.ts';
import { totalsTable } from '../../src/resources/usage/table.ts';

const Totals = v.strictObject({ organizationId: Cuid, totals: v.array(UsageTotal) });

export const getOrganizationUsage = defineTool({
  name: 'get_organization_usage',
  title: 'Get organization usage',
  description:
    'Sums what all projects of the organization used, by service, mode and metric. get_project_usage shows one project over time.',
  rest: { method: 'GET', path: '/v1/organization/usage' },
  input: v.strictObject({ from: From, to: To }),
  output: Totals,
  access: 'admin',
  effect: { readOnly: true, destructive: false, idempotent: true },
  special: { unavailable: 'usage_unavailable' },
  check: rangeProblems,
  mcp: {
    outputSchema: false,
    brief: (used) => totalsTable((used as v.InferOutput<typeof Totals>).totals),
  },
  async handler({ stores, services }, ends) {
    const [{ organizationId }, totals] = await Promise.all([
      stores.projects.current(),
      stores.usage.organization(rangeOf(ends)),
    ]);
    return { organizationId, totals: totals.map((total) => withCurrency(total, services.currency)) };
  },
});
