import * as v from 'valibot';
import { checkDesign } from '../../design/check.ts';
import { completeDesign } from '../../design/complete.ts';
import { outsideNames } from '../../design/facts.ts';
import { formatHint } from '../../design/format-hint.ts';
import { type Problem, problem } from '../../design/problem.ts';
import { Design } from '../../design/schema/design.ts';
import { usablePart } from '../../design/usable.ts';
import type { ToolContext } from '../../environment/context.ts';
import { checkShape, checkValue } from '../../operation/input.ts';
import { mostProblems } from '../../platform/errors.ts';
import { requireSize } from './edit.ts';
import { factsOf } from './prepare.ts';
import { withRecordIds } from './record-names.ts';
import { rulesFor } from './rules.ts';
import { DesignDocument, DesignProblem } from './schema.ts';

/** The design to check. Its shape is part of what is checked. */
export const CheckedDesign = v.pipe(v.unknown(), v.description('The design to check, valid or not.'));

/** What validation finds. */
export const Validation = v.strictObject({
  valid: v.boolean(),
  problems: v.array(DesignProblem),
  design: v.pipe(v.nullable(DesignDocument), v.description('As it would be stored; null unless valid.')),
});

export const validationErrors = {
  501: ['not_yet_supported', 'unsupported_step'],
  503: ['validation_unavailable'],
} as const;

/** A design to check. */
interface Checked {
  readonly document: unknown;
  /** The version before it. */
  readonly base?: Design | undefined;
  /** True if the document is the result of an edit, which no limit of a request has bounded. */
  readonly isEdited?: boolean;
}

/** Returns every problem of a design. Writes nothing. */
export async function validation(
  { caller, stores, services, signal }: Pick<ToolContext, 'caller' | 'stores' | 'services' | 'signal'>,
  { document, base, isEdited = false }: Checked,
): Promise<v.InferOutput<typeof Validation>> {
  // An edit may nest deeper than its parts, which were checked as JSON.
  const check = isEdited ? checkValue : checkShape;
  const shapeProblems = check(Design, document).problems;
  const places = shapeProblems.map(({ path }) => path);
  const checked = shapeProblems.length === 0 ? (document as Design) : usablePart(document, places);
  // At the maximum the list may be incomplete, so `checked` may still have an invalid shape.
  const shapeProblem = shapeProblemIn(document);
  if (!checked || shapeProblems.length >= mostProblems) return invalid(shapeProblems.map(shapeProblem));
  if (isEdited && shapeProblems.length === 0) requireSize(checked);
  const rules = await rulesFor({ services, signal }, checked, base);
  const named = await stores.namedRecords.find(outsideNames(checked));
  const facts = factsOf(named, base, rules);
  const resolved = withRecordIds(checked, named.names);
  await services.turn(caller);
  const problems = checkDesign(resolved, facts);
  const errors = problems.filter(({ severity }) => severity === 'error');
  // No warnings here: the exits of an invalid step are unknown, so "unreachable" would be a guess.
  if (shapeProblems.length > 0) return invalid([...shapeProblems.map(shapeProblem), ...errors]);
  if (errors.length > 0) return invalid(problems);
  return { valid: true, problems: problems.slice(0, mostProblems), design: completeDesign(resolved, facts) };
}

/** What validation returns for a design with these problems. */
export function invalid(problems: Problem[]) {
  return { valid: false, problems: problems.slice(0, mostProblems), design: null };
}

function shapeProblemIn(document: unknown) {
  return ({ path, message }: { path: readonly (string | number)[]; message: string }): Problem =>
    problem('invalid_request', path, message, formatHint(document, path));
}
