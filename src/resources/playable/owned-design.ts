import type { Design } from '../../design/schema/design.ts';
import type { Stores } from '../../store/stores.ts';
import { chosenDesign, type DesignChoice } from '../designs/chosen-design.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { readPlayable } from './compiled-version.ts';

/** The design that a call is about, and the number of its version; null for a design that is not stored. */
export interface OwnedDesign {
  readonly design: Design;
  readonly version: number | null;
}

/**
 * Returns the chosen design of a conversation, or the design that a version of a flow becomes.
 * @throws ToolError as `chosenDesign` and `readPlayable` do
 */
export async function ownedDesign(
  stores: Stores,
  owner: DesignOwner,
  choice: DesignChoice,
): Promise<OwnedDesign> {
  if ('conversationId' in owner) return chosenDesign(stores, owner.conversationId, choice);
  const { design, version } = await readPlayable(stores, owner.flowId, choice.version);
  return { design, version };
}
