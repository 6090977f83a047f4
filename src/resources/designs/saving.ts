import { checkDesign } from '../../design/check.ts';
import { checkIntegrationsExist } from '../../design/checks/integrations.ts';
import { checkRecords } from '../../design/checks/records.ts';
import { missingSecrets } from '../../design/checks/secrets.ts';
import { completeDesign } from '../../design/complete.ts';
import { type Facts, outsideNames } from '../../design/facts.ts';
import { refuseProblems, refuseToActivate } from '../../design/refusal.ts';
import type { Design } from '../../design/schema/design.ts';
import type { DesignReferences } from '../../store/conversations.ts';
import type { NamedRecords } from '../../store/named-records.ts';
import type { Stores } from '../../store/stores.ts';
import { planLimits } from '../plan-limits.ts';

/** What the checks have to know of the project about a design; `named` are those of its records that there are. */
export function factsOf(
  named: NamedRecords,
  base: Design | undefined,
  disclosure: Facts['disclosure'],
): Facts {
  return { ...named, base, stepLimit: planLimits[named.plan].steps, disclosure };
}

/**
 * A design as it is to be stored after `base`.
 * @param holdPlan throws where the plan allows no more; it has its turn before a `design_invalid`.
 * @throws ToolError where it has errors; the first in the order of `decisions` 4 decides which.
 */
export async function savedDesign(
  stores: Stores,
  design: Design,
  base: Design | undefined,
  disclosure: Facts['disclosure'],
  holdPlan?: () => void,
): Promise<Design> {
  const facts = factsOf(await stores.namedRecords.hold(outsideNames(design)), base, disclosure);
  const problems = checkDesign(design, facts);
  const [first] = problems;
  if (first === undefined || first.severity === 'warning' || first.code === 'design_invalid') holdPlan?.();
  refuseProblems(problems, design, facts);
  return completeDesign(design, facts);
}

/**
 * What a design that is to be active names and keeps from being deleted, held for this transaction. What a stored
 * version named may be gone by now; a conversation that a call is passed on to is not kept, so it may be, too.
 * @throws ToolError `not_found`, `unknown_integration_ref`, or `design_invalid` for a missing secret.
 */
export async function holdNamedRecords(stores: Stores, design: Design): Promise<DesignReferences> {
  const names = outsideNames(design);
  if (Object.values<readonly string[]>({ ...names }).some(({ length }) => length > 0)) {
    const named = await stores.namedRecords.hold(names);
    refuseToActivate([
      ...checkRecords(design, { ...named, conversationIds: new Set(names.conversationIds) }),
      ...checkIntegrationsExist(design, named),
      ...missingSecrets(design, named.secretNames),
    ]);
  }
  return names;
}
