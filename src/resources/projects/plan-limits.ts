import { ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { mostScenarios } from '../scenarios/schema.ts';
import type { Plan } from './store.ts';

/** What a plan limits: the records of a project, and the `steps` of a design. */
export type LimitedResource =
  | 'conversations'
  | 'knowledgeBases'
  | 'phoneNumbers'
  | 'scenarios'
  | 'steps'
  | 'voices';

/** Every plan allows this many custom voices, because their list has no pages (decisions#lists). */
const voices = 1000;
/** Every plan allows this many scenarios of a conversation, because they are all played before it is published. */
const scenarios = mostScenarios;

/** The limits of each plan (decisions#plan-limits). */
export const planLimits: Readonly<Record<Plan, Readonly<Record<LimitedResource, number>>>> = {
  free: { conversations: 3, knowledgeBases: 1, phoneNumbers: 1, steps: 20, scenarios, voices },
  starter: { conversations: 10, knowledgeBases: 3, phoneNumbers: 3, steps: 50, scenarios, voices },
  growth: { conversations: 50, knowledgeBases: 10, phoneNumbers: 10, steps: 100, scenarios, voices },
  pro: { conversations: 200, knowledgeBases: 50, phoneNumbers: 50, steps: 250, scenarios, voices },
  enterprise: {
    conversations: Number.POSITIVE_INFINITY,
    knowledgeBases: Number.POSITIVE_INFINITY,
    phoneNumbers: Number.POSITIVE_INFINITY,
    steps: Number.POSITIVE_INFINITY,
    scenarios,
    voices,
  },
};

/**
 * Returns how many records of a kind a project has, or 0 if its plan does not limit them: a count reads every record, while
 * the caller holds the project.
 */
export async function countLimited(
  stores: Stores,
  plan: Plan,
  resource: 'conversations' | 'knowledgeBases' | 'phoneNumbers' | 'voices',
): Promise<number> {
  return planLimits[plan][resource] === Number.POSITIVE_INFINITY ? 0 : stores[resource].count();
}

/** A limit of a plan, and how many of its records the project has; the steps are those of one design. */
export interface PlanUse {
  readonly limit: number;
  readonly used?: number;
}

/** What the plan of a project limits, with what it uses of it; empty for a plan without limits. */
export function planUse(plan: Plan, counts: Readonly<Record<string, number>>): Record<string, PlanUse> {
  const limits = Object.entries(planLimits[plan]).filter(
    ([resource, limit]) => limit !== planLimits.enterprise[resource as LimitedResource],
  );
  return Object.fromEntries(
    limits.map(([resource, limit]) => {
      const used = counts[resource];
      return [resource, { limit, ...(used !== undefined && { used }) }];
    }),
  );
}

/** Such as `conversations 2 of 3, steps of a design up to 20`. */
export function planUseInWords(uses: Readonly<Record<string, PlanUse>>): string {
  return Object.entries(uses)
    .map(([resource, { limit, used }]) =>
      used === undefined ? `${resource} of a design up to ${limit}` : `${resource} ${used} of ${limit}`,
    )
    .join(', ');
}

/**
 * Holds a project to its plan; `wanted` is the number that it would have.
 * @throws ToolError `plan_limit_exceeded` with `details {resource, limit, current, plan}`; 422 for the steps of a design
 * and 403 for the others (service-api#errors)
 */
export function requireWithinPlan(
  plan: Plan,
  resource: LimitedResource,
  current: number,
  wanted: number,
): void {
  const limit = planLimits[plan][resource];
  if (wanted <= limit) return;
  throw new ToolError('plan_limit_exceeded', `The plan ${plan} allows ${limit} ${resource}.`, {
    details: { resource, limit, current, plan },
    status: resource === 'steps' ? 422 : 403,
  });
}
