import type { Stores } from '../../store/stores.ts';

/** The effort of the model proxy for each word that agent profiles use. */
const efforts: Readonly<Record<string, string>> = { fast: 'low', balanced: 'medium', deep: 'high' };

/** How long the model of a conversation thinks, by its agent profile; undefined if that says nothing. */
export async function reasoningOf(stores: Stores, conversationId: string): Promise<string | undefined> {
  const agentId = (await stores.conversations.find(conversationId))?.agentId ?? null;
  const profile = agentId === null ? undefined : await stores.agentProfiles.find(agentId);
  const { reasoningMode = '' } = profile ?? {};
  return Object.hasOwn(efforts, reasoningMode) ? efforts[reasoningMode] : undefined;
}
