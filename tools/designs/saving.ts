import { checkDesign } from '../../src/design/check.ts';
import { completeDesign } from '../../src/design/complete.ts';
import { type Facts, outsideNames } from '../../src/design/facts.ts';
import { refuseProblems } from '../../src/design/refusal.ts';
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
  const { integrationIds, knowledgeBaseIds, conversationIds } = outsideNames(design);
  // One after the other: in a transaction they share a connection.
  const { plan } = await stores.projects.current();
  const integrations = await stores.integrations.kinds(integrationIds);
  const knowledgeBases = await stores.knowledgeBases.known(knowledgeBaseIds);
  const conversations = await stores.conversations.known(conversationIds);
  return {
    integrationKinds: integrations,
    knowledgeBaseIds: knowledgeBases,
    conversationIds: conversations,
    base,
    stepLimit: planLimits[plan].steps,
    plan,
    disclosure,
  };
}

/**
 * A design as it is to be stored after `base`.
 * @throws ToolError where it has errors; the first in the order of `decisions` 4 decides which.
 */
export async function savedDesign(
  stores: Stores,
  design: Design,
  base: Design | undefined,
  disclosure: Facts['disclosure'],
): Promise<Design> {
  const facts = await factsOf(stores, design, base, disclosure);
  refuseProblems(checkDesign(design, facts), design, facts);
  return completeDesign(design, facts);
}
