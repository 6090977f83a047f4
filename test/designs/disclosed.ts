import type { Design } from '../../src/design/schema/design.ts';
import type { Tenant, World } from '../helpers/world.ts';
import { realDesign } from './real-designs.ts';

/** A line that tells what has to be told, and one that does not. */
export const disclosing = 'Hello, I am an AI assistant.';
export const undisclosing = 'Hello, how can I help you?';

/** A design whose lines that have to disclose the AI do so, in English: what they say is tested elsewhere. */
export function disclosed(design: Design): Design {
  const copy = structuredClone(design);
  for (const step of Object.values(copy.steps))
    if (step.kind === 'greeting' && step.introLine !== undefined) step.introLine = disclosing;
    else if (step.kind === 'recordingConsent') step.line = disclosing;
  return copy;
}

/** A real design with records of the tenant's project, and with lines that disclose the AI. */
export async function disclosedDesign(world: World, tenant: Tenant, name: string): Promise<Design> {
  return disclosed(await realDesign(world, tenant, name));
}
