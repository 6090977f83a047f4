import { checkDesign } from '../../src/design/check.ts';
import { missingSecrets } from '../../src/design/checks/secrets.ts';
import { completeDesign } from '../../src/design/complete.ts';
import { type Facts, outsideNames } from '../../src/design/facts.ts';
import { refuseProblems, refuseToActivate } from '../../src/design/refusal.ts';
import type { Design } from '../../src/design/schema/design.ts';
import type { Stores } from '../../src/store/stores.ts';
import { planLimits } from '../plan-limits.ts';

/** What the checks have to know of the project about this design. */
export async function factsOf(
  stores: Stores,
  design: Design,
  base: Design | undefined,
  disclosure: Facts['disclosure'],
): Promise<Facts> {
  const named = await stores.namedRecords.find(outsideNames(design));
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
  const facts = await factsOf(stores, design, base, disclosure);
  const problems = checkDesign(design, facts);
  const [first] = problems;
  if (first === undefined || first.severity === 'warning' || first.code === 'design_invalid') holdPlan?.();
  refuseProblems(problems, design, facts);
  return completeDesign(design, facts);
}

/**
 * Refuses to activate a design that names a secret which the project does not have.
 * @throws ToolError `design_invalid`
 */
export async function refuseMissingSecrets(stores: Stores, design: Design): Promise<void> {
  const names = outsideNames(design);
  if (names.secretNames.length === 0) return;
  const { secretNames } = await stores.namedRecords.find(names);
  refuseToActivate(missingSecrets(design, secretNames));
}
