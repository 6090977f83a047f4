import { shortName } from '../../design/problem.ts';
import type { Stores } from '../../store/stores.ts';
import { handlersInWords } from '../phone-numbers/assigning.ts';

/** A change of a web agent, as far as its visitors notice it. */
interface NoticedChange {
  readonly status?: 'active' | 'disabled' | undefined;
  readonly conversationId?: string | undefined;
}

/** What a change takes away from the visitors of an active web agent, in words; undefined if that is nothing. */
export async function changeInWords(
  stores: Stores,
  webAgentId: string,
  { status, conversationId }: NoticedChange,
): Promise<string | undefined> {
  const agent = await stores.webAgents.find(webAgentId);
  const before = agent?.status === 'active' ? await stores.uses.record(agent.conversationId) : undefined;
  if (!agent || !before) return undefined;
  const name = `the web agent ${shortName(agent.name)}`;
  if (status === 'disabled')
    return `Disable ${name}? Visitors of its websites no longer reach the ${before.kind} ${shortName(before.name)}.`;
  if (conversationId === undefined || conversationId === agent.conversationId) return undefined;
  const next = await stores.uses.record(conversationId);
  return next && `Change who answers on ${name}? ${handlersInWords(before, next)}`;
}
