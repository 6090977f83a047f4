import { mostProblems, ToolError } from '../errors.ts';
import type { Facts } from './facts.ts';
import type { Problem } from './problem.ts';
import type { Design } from './schema/design.ts';

/**
 * Refuses a design that has errors. The first error decides the code; the issues list every error of that code.
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
  const all = errors.length < mostProblems ? `all ${errors.length}` : `the first ${mostProblems}`;
  const more = errors.length > 1 ? ` validate_design lists ${all} errors, each with a hint.` : '';
  const hint = first.hint + more;
  if (code === 'plan_limit_exceeded') {
    const details = { resource: 'steps', limit: stepLimit, current: Object.keys(steps).length, plan };
    throw new ToolError(code, first.message, { details, status: 422, hint });
  }
  throw refusalOf(first, errors, hint);
}

/**
 * Refuses to activate a design that has problems, even if they did not prevent its storage. The first decides the code.
 * @throws ToolError
 */
export function refuseToActivate(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first) throw refusalOf(first, problems, first.hint);
}

/** The error for the first problem; its issues are all problems of the same code. */
function refusalOf({ code, path, message }: Problem, problems: readonly Problem[], hint: string): ToolError {
  if (code === 'not_found') return new ToolError(code, message, { hint });
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
  return new ToolError(code, `${path}: ${message}${others}`, { details: { issues }, hint });
}
