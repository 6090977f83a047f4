import type { Stores } from '../../store/stores.ts';
import { agentOf } from '../record/agent-of.ts';
import type { DesignHome } from '../record/design-owner.ts';

/** The effort of the model proxy for each word that agent profiles use. */
const efforts: Readonly<Record<string, string>> = { fast: 'low', balanced: 'medium', deep: 'high' };

/** How long the model of a conversation or flow thinks, by its agent profile; undefined if that says nothing. */
export async function reasoningOf(stores: Stores, owner: DesignHome): Promise<string | undefined> {
  const agentId = await agentOf(stores, owner);
  const profile = agentId === null ? undefined : await stores.agentProfiles.find(agentId);
  const { reasoningMode = '' } = profile ?? {};
  return Object.hasOwn(efforts, reasoningMode) ? efforts[reasoningMode] : undefined;
}
