import type { Design } from '../../design/schema/design.ts';
import type { Stores } from '../../store/stores.ts';
import { chosenDesign, type DesignChoice, withNamedRecords } from '../designs/chosen-design.ts';
import type { DesignHome } from '../record/design-owner.ts';
import { readPlayable } from './compiled-version.ts';

/** The design that a call is about, and the number of its version; null for a design that is not stored. */
export interface OwnedDesign {
  readonly design: Design;
  readonly version: number | null;
}

/**
 * Returns the chosen design of a conversation, the design that a version of a flow becomes, or the design of the call.
 * @throws ToolError as `chosenDesign` and `readPlayable` do
 */
export async function ownedDesign(
  stores: Stores,
  owner: DesignHome,
  choice: DesignChoice,
): Promise<OwnedDesign> {
  if ('projectId' in owner) {
    if (choice.design === undefined) throw new TypeError('a new design is part of the call');
    return { design: await withNamedRecords(stores, choice.design), version: null };
  }
  if ('conversationId' in owner) return chosenDesign(stores, owner.conversationId, choice);
  const { design, version } = await readPlayable(stores, owner.flowId, choice.version);
  return { design, version };
}
