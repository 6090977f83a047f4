import type { Design } from '../../src/design/schema/design.ts';
import type { Tenant, World } from '../helpers/world.ts';
import { realDesign } from './real-designs.ts';

/** A line that discloses the AI, and one that does not. */
export const disclosing = 'Hello, I am an AI assistant.';
export const undisclosing = 'Hello, how can I help you?';

/** A copy with an English line that discloses the AI wherever one is required. Other tests cover the rule itself. */
export function disclosed(design: Design): Design {
  const copy = structuredClone(design);
  for (const step of Object.values(copy.steps))
    if (step.kind === 'greeting' && step.introLine !== undefined) step.introLine = disclosing;
    else if (step.kind === 'recordingConsent') step.line = disclosing;
  return copy;
}

/** A real design that discloses the AI, with the ids of records of the tenant's project. */
export async function disclosedDesign(world: World, tenant: Tenant, name: string): Promise<Design> {
  return disclosed(await realDesign(world, tenant, name));
}
