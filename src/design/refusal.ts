import { type ErrorProblem, mostProblems, ToolError } from '../platform/errors.ts';
import type { Facts } from './facts.ts';
import type { Problem } from './problem.ts';
import type { Design } from './schema/design.ts';

/** Problems that an error on MCP lists. */
const mostListed = 20;

/**
 * Refuses a design that has errors. The first error decides the code; the issues list every error of that code. On MCP,
 * all errors follow if there are other codes too.
 * @param problems in the order of `checkDesign`.
 * @throws ToolError with status and details as in `decisions#order-of-design-errors`.
 */
export function refuseProblems(
  problems: readonly Problem[],
  { steps }: Design,
  { stepLimit, plan }: Facts,
): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const { code } = first;
  if (code === 'plan_limit_exceeded') {
    const details = { resource: 'steps', limit: stepLimit, current: Object.keys(steps).length, plan };
    const { message, hint } = first;
    throw new ToolError(code, message, { details, status: 422, hint, problems: listed(errors) });
  }
  throw refusalOf(first, errors);
}

/**
 * Refuses to activate a design that has problems, even if they did not prevent its storage. The first decides the code.
 * @throws ToolError
 */
export function refuseToActivate(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first) throw refusalOf(first, problems);
}

/** All problems with their hints, if there are several. */
function listed(problems: readonly Problem[]): ErrorProblem[] {
  if (problems.length < 2) return [];
  return problems
    .slice(0, mostListed)
    .map(({ code, path, message, hint }) => ({ code, path, message, hint }));
}

/** The error for the first problem; its issues are all problems of the same code. */
function refusalOf({ code, path, message, hint }: Problem, problems: readonly Problem[]): ToolError {
  if (code === 'not_found') return new ToolError(code, message, { hint, problems: listed(problems) });
  const sameCode = problems.filter((other) => other.code === code);
  const issues = sameCode
    .slice(0, mostProblems)
    .map((issue) =>
      code === 'design_invalid'
        ? { stepId: issue.stepId, message: `${issue.path}: ${issue.message}` }
        : { stepId: issue.stepId, path: issue.path, message: issue.message },
    );
  // A check ends with its hundredth problem.
  const atLeast = sameCode.length < mostProblems ? '' : 'at least ';
  const others = sameCode.length > 1 ? ` (and ${atLeast}${sameCode.length - 1} more)` : '';
  return new ToolError(code, `${path}: ${message}${others}`, {
    details: { issues },
    hint,
    problems: listed(problems),
  });
}
