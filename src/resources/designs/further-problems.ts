import { errorsOf } from '../../design/check.ts';
import { type Facts, outsideNames } from '../../design/facts.ts';
import { Design } from '../../design/schema/design.ts';
import { usablePart } from '../../design/usable.ts';
import { ruleOnDisclosure } from '../../disclosure/index.ts';
import { checkValue } from '../../operation/input.ts';
import { type ErrorProblem, mostProblems } from '../../platform/errors.ts';

/** Problems that a response lists besides those of the shape. */
const mostListed = 20;

/** Found by reading the project, which a call with a wrong input does not. */
const needProject: readonly string[] = [
  'not_found',
  'unknown_integration_ref',
  'integration_kind_mismatch',
  'plan_limit_exceeded',
];

/**
 * The errors of a design that its invalid steps, or another wrong input, would hide: a model can correct all at once. The
 * checks take invalid steps as ends, so they report nothing that only follows from them.
 * @param base the version before, whose lines need no new check for disclosure. Without one, no line is judged unless
 * `isFirst`.
 */
export function furtherProblems(
  document: unknown,
  { base, isFirst = false }: { readonly base?: Design; readonly isFirst?: boolean },
): ErrorProblem[] {
  const places = checkValue(Design, document).problems.map(({ path }) => path);
  // At the maximum the list may be incomplete, so the rest may have an invalid shape too.
  if (places.length >= mostProblems) return [];
  const design = places.length === 0 ? (document as Design) : usablePart(document, places);
  if (!design) return [];
  const left = base || isFirst ? needProject : [...needProject, 'ai_disclosure_required'];
  return errorsOf(design, assumedFacts(design, base))
    .filter(({ code }) => !left.includes(code))
    .slice(0, mostListed)
    .map(({ code, path, message, hint }) => ({ code, path, message, hint }));
}

/** Facts of a project that has all that the design names. */
function assumedFacts(design: Design, base: Design | undefined): Facts {
  const names = outsideNames(design);
  return {
    integrationKinds: new Map(),
    knowledgeBaseIds: new Set(names.knowledgeBaseIds),
    conversationIds: new Set(names.conversationIds),
    secretBindings: new Map(names.secretNames.map((name) => [name, null])),
    base,
    stepLimit: Number.POSITIVE_INFINITY,
    plan: '',
    disclosure: ruleOnDisclosure,
  };
}
