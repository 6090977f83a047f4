import type { Stores } from '../../store/stores.ts';
import type { DesignHome } from './design-owner.ts';

/** The id of the agent profile of a conversation or flow; null if it has none. */
export async function agentOf(stores: Stores, owner: DesignHome): Promise<string | null> {
  if ('projectId' in owner) return null;
  if ('flowId' in owner) return (await stores.flows.find(owner.flowId))?.agentProfileId ?? null;
  return (await stores.conversations.find(owner.conversationId))?.agentId ?? null;
}
