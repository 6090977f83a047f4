import type { Facts } from '../facts.ts';
import { type Problem, problem } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `plan_limit_exceeded`: more steps than the project's plan allows. */
export function checkPlanLimit({ steps }: Design, { stepLimit, plan }: Facts): Problem[] {
  const count = Object.keys(steps).length;
  if (count <= stepLimit) return [];
  return [
    problem(
      'plan_limit_exceeded',
      ['steps'],
      `The plan ${plan} allows ${stepLimit} steps in a design; this one has ${count}.`,
      'Remove steps, or move some into another conversation and transfer to it.',
    ),
  ];
}
