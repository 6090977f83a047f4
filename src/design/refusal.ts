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
  const alike = errors.filter((error) => error.code === code);
  const more =
    errors.length > 1 ? ` validate_design shows all ${errors.length} problems, each with a hint.` : '';
  const hint = first.hint + more;
  if (code === 'not_found') throw new ToolError(code, first.message, { hint });
  if (code === 'plan_limit_exceeded') {
    const details = { resource: 'steps', limit: stepLimit, current: Object.keys(steps).length, plan };
    throw new ToolError(code, first.message, { details, status: 422, hint });
  }
  const issues = alike
    .slice(0, maximumIssues)
    .map(({ stepId, path, message }) =>
      code === 'design_invalid' ? { stepId, message: `${path}: ${message}` } : { stepId, path, message },
    );
  const others = alike.length > 1 ? ` (and ${alike.length - 1} more)` : '';
  throw new ToolError(code, `${first.path}: ${first.message}${others}`, { details: { issues }, hint });
}
