import { checkDesign } from '../../design/check.ts';
import { checkAddresses } from '../../design/checks/addresses.ts';
import { checkDisclosedFirst } from '../../design/checks/disclosed-first.ts';
import { checkHeaders } from '../../design/checks/headers.ts';
import { checkIntegrationsExist } from '../../design/checks/integrations.ts';
import { deadOptions } from '../../design/checks/lost-exits.ts';
import { heardNames } from '../../design/checks/names.ts';
import { checkRecords } from '../../design/checks/records.ts';
import { checkSamples } from '../../design/checks/samples.ts';
import { unusableSecrets } from '../../design/checks/secrets.ts';
import { completeDesign } from '../../design/complete.ts';
import { type Facts, outsideNames } from '../../design/facts.ts';
import { type Problem, problem } from '../../design/problem.ts';
import { refuseProblems, refuseToActivate } from '../../design/refusal.ts';
import { Design } from '../../design/schema/design.ts';
import { markChecked } from '../../operation/document.ts';
import { checkShape } from '../../operation/input.ts';
import type { Stores } from '../../store/stores.ts';
import type { DesignReferences } from '../conversations/store.ts';
import { planLimits } from '../projects/plan-limits.ts';
import type { NamedRecords } from './named-records.ts';
import { newWarnings, type Warnings } from './new-warnings.ts';
import { withRecordIds } from './record-names.ts';
import type { Rules } from './rules.ts';
import { exposedDesign } from './stored-design.ts';

/** The facts that the checks need. `named` holds those of the records named by the design that exist. */
export function factsOf(named: NamedRecords, base: Design | undefined, rules: Rules): Facts {
  const { names, ...records } = named;
  return { ...records, nameHints: names.hints, base, stepLimit: planLimits[named.plan].steps, ...rules };
}

/**
 * Checks a design and completes it, so that it can be stored as the version after `base`. Locks the records it names, and
 * puts their ids in place of names.
 * @param lockPlan throws if the plan allows no more conversations; runs before a `design_invalid` is thrown.
 * @throws ToolError if the design has errors; `decisions#order-of-design-errors` decides which comes first.
 */
export async function prepareToStore(
  stores: Stores,
  design: Design,
  base: Design | undefined,
  rules: Rules,
  lockPlan?: () => void,
): Promise<Prepared> {
  const named = await lockNamed(stores, design);
  return prepared(withRecordIds(design, named.names), factsOf(named, base, rules), lockPlan);
}

/** Locks the records that a design names, so that they exist until it is stored. */
export function lockNamed(stores: Stores, design: Design): Promise<NamedRecords> {
  return stores.namedRecords.hold(outsideNames(design));
}

/** A design that can be stored, and the warnings about it. */
export interface Prepared extends Warnings {
  readonly design: Design;
}

/** Does the same as {@link prepareToStore}, with facts about records that are locked. */
export function prepared(design: Design, facts: Facts, lockPlan?: () => void): Prepared {
  const problems = checkDesign(design, facts);
  const [first] = problems;
  if (first === undefined || first.severity === 'warning' || first.code === 'design_invalid') lockPlan?.();
  refuseProblems(problems, design, facts);
  // Whatever is left is a warning.
  return { design: markChecked(completeDesign(design, facts)), ...newWarnings(design, problems, facts) };
}

/**
 * Locks the records that a design names before it goes live, and returns the references that keep them from deletion.
 * Records that an old version named may be gone by now. The target of a transfer is not kept, so it may be gone too.
 * @param active the older version that it replaces, if callers must lose nothing.
 * @throws ToolError `not_found`, `unknown_integration_ref`, or `design_invalid` for a secret that is missing or not bound to its
 * place, for what callers would notice, for a call that acts before it has disclosed the AI, for a sample of a template, and
 * for a placeholder in a host.
 */
export async function prepareToActivate(
  stores: Stores,
  design: Design,
  active?: Design,
): Promise<DesignReferences> {
  const names = outsideNames(design);
  const problems: Problem[] = [];
  if (Object.values<readonly string[]>({ ...names }).some(({ length }) => length > 0)) {
    const named = await stores.namedRecords.hold(names);
    problems.push(
      ...checkRecords(design, { ...named, conversationIds: new Set(names.conversationIds) }),
      ...checkIntegrationsExist(design, named),
      ...unusableSecrets(design, named.secretBindings),
    );
  }
  const lost = active ? deadOptions(design, active) : [];
  refuseToActivate([...problems, ...gateProblems(design), ...lost]);
  return names;
}

/** What in a design itself keeps it from going live, whichever version it replaces and whichever records exist. */
function gateProblems(design: Design): Problem[] {
  return [
    ...checkDisclosedFirst(design),
    ...heardNames(design),
    ...checkSamples(design),
    ...checkAddresses(design),
    ...checkHeaders(design),
  ];
}

/**
 * The problems that keep a stored design from going live today. It may be live all the same: an import, or an earlier
 * release, proved nothing. Finds nothing in a design with steps that the API does not expose, which stays as it is.
 */
export function problemsToday(stored: unknown): Problem[] {
  const design = exposedDesign(stored);
  if (design === null) return [];
  const [misshapen] = checkShape(Design, design).problems;
  if (!misshapen) return gateProblems(design);
  return [problem('design_invalid', misshapen.path, misshapen.message, 'Replace it with write_design.')];
}
