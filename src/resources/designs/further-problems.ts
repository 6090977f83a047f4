import { errorsOf } from '../../design/check.ts';
import { type Facts, outsideNames } from '../../design/facts.ts';
import { Design } from '../../design/schema/design.ts';
import { usablePart } from '../../design/usable.ts';
import { ruleOnDisclosure } from '../../disclosure/index.ts';
import type { ConsequencesContext } from '../../environment/mcp-view.ts';
import { checkValue } from '../../operation/input.ts';
import { type ErrorProblem, mostProblems } from '../../platform/errors.ts';
import { factsOf } from './prepare.ts';
import { withRecordIds } from './record-names.ts';

/** Which models there are is not known here. */
const anyModel = { names: [], takesOthers: true };

/** Problems that a response lists besides those of the shape. */
const mostListed = 20;

/** Found by reading the project. */
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
export function furtherProblems(document: unknown, judged: Judged): ErrorProblem[] {
  const design = readablePart(document);
  return design ? listed(design, assumedFacts(design, judged.base), judged, needProject) : [];
}

/** Does the same, and also finds what the project lacks, if the key may list its records. */
export async function furtherProblemsIn(
  { stores, caller }: Pick<ConsequencesContext, 'stores' | 'caller'>,
  document: unknown,
  judged: Judged,
): Promise<ErrorProblem[]> {
  const design = readablePart(document);
  if (!design || !caller.access.has('read')) return furtherProblems(document, judged);
  const named = await stores.namedRecords.find(outsideNames(design));
  const facts = factsOf(named, judged.base, { disclosure: ruleOnDisclosure, models: anyModel });
  return listed(withRecordIds(design, named.names), facts, judged, []);
}

interface Judged {
  readonly base?: Design;
  readonly isFirst?: boolean;
}

/** The design without what has an invalid shape; undefined if too much has. */
function readablePart(document: unknown): Design | undefined {
  const places = checkValue(Design, document).problems.map(({ path }) => path);
  // At the maximum the list may be incomplete, so the rest may have an invalid shape too.
  if (places.length >= mostProblems) return undefined;
  return places.length === 0 ? (document as Design) : usablePart(document, places);
}

function listed(
  design: Design,
  facts: Facts,
  { base, isFirst = false }: Judged,
  unknown: readonly string[],
): ErrorProblem[] {
  const left = base || isFirst ? unknown : [...unknown, 'ai_disclosure_required'];
  return errorsOf(design, facts)
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
    hasOpeningHours: true,
    secretBindings: new Map(names.secretNames.map((name) => [name, null])),
    base,
    stepLimit: Number.POSITIVE_INFINITY,
    plan: '',
    disclosure: ruleOnDisclosure,
    models: anyModel,
  };
}
