import { ToolError } from '../errors.ts';
import type { Facts } from './facts.ts';
import type { Problem } from './problem.ts';
import type { Design } from './schema/design.ts';

const maximumIssues = 100;

/**
 * Refuses a design that has errors; the first decides the code, and all of that code are told.
 * @param problems in the order of `checkDesign`.
 * @throws ToolError with the status and details of `decisions` 4.
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
  const more =
    errors.length > 1 ? ` validate_design shows all ${errors.length} problems, each with a hint.` : '';
  const hint = first.hint + more;
  if (code === 'plan_limit_exceeded') {
    const details = { resource: 'steps', limit: stepLimit, current: Object.keys(steps).length, plan };
    throw new ToolError(code, first.message, { details, status: 422, hint });
  }
  throw refusalOf(first, errors, hint);
}

/**
 * Refuses to activate a design for problems that did not keep it from being stored; the first decides the code.
 * @throws ToolError
 */
export function refuseToActivate(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first) throw refusalOf(first, problems, first.hint);
}

/** The error that tells the first problem and all of its code. */
function refusalOf({ code, path, message }: Problem, problems: readonly Problem[], hint: string): ToolError {
  if (code === 'not_found') return new ToolError(code, message, { hint });
  const alike = problems.filter((other) => other.code === code);
  const issues = alike
    .slice(0, maximumIssues)
    .map((issue) =>
      code === 'design_invalid'
        ? { stepId: issue.stepId, message: `${issue.path}: ${issue.message}` }
        : { stepId: issue.stepId, path: issue.path, message: issue.message },
    );
  const others = alike.length > 1 ? ` (and ${alike.length - 1} more)` : '';
  return new ToolError(code, `${path}: ${message}${others}`, { details: { issues }, hint });
}
