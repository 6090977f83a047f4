import { expect, test } from 'vitest';
import { errorAnswer, ToolError } from '../../src/platform/errors.ts';
import {
  type LimitedResource,
  planLimits,
  requireWithinPlan,
} from '../../src/resources/projects/plan-limits.ts';

const table = [
  ['free', 3, 1, 1, 20],
  ['starter', 10, 3, 3, 50],
  ['growth', 50, 10, 10, 100],
  ['pro', 200, 50, 50, 250],
] as const;

const resources: LimitedResource[] = ['conversations', 'knowledgeBases', 'phoneNumbers', 'steps'];

function refusalOf(work: () => void): ToolError {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test.each(table)('allows a project of the plan %s exactly the limits of the table', (plan, ...limits) => {
  for (const [index, resource] of resources.entries()) {
    const limit = limits[index] ?? 0;
    expect(planLimits[plan][resource]).toBe(limit);
    expect(() => requireWithinPlan(plan, resource, limit - 1, limit)).not.toThrow();
    const refused = refusalOf(() => requireWithinPlan(plan, resource, limit, limit + 1));
    expect(errorAnswer(refused, 'r')).toEqual({
      status: resource === 'steps' ? 422 : 403,
      body: {
        error: {
          code: 'plan_limit_exceeded',
          message: `The plan ${plan} allows ${limit} ${resource}.`,
          details: { resource, limit, current: limit, plan },
          requestId: 'r',
        },
      },
    });
  }
});

test('sets no limits for the plan enterprise', () => {
  for (const resource of resources)
    expect(() => requireWithinPlan('enterprise', resource, 1e9, 1e9 + 1)).not.toThrow();
});
