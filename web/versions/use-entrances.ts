import type { Output } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useOperation } from '../api/use-operation.ts';

/** A phone number or web agent that leads to a flow or conversation. */
export interface Entrance {
  readonly id: string;
  readonly place: string;
  readonly isOff: boolean;
}

/** The most that one page of a list returns: the numbers and web agents that are read. */
export const mostRead = 100;

/** The lists of phone numbers and web agents, which `entrancesTo` reads. */
export function useEntranceLists() {
  const { projectId } = useSession();
  const numbers = useOperation('list_phone_numbers', { projectId, limit: mostRead });
  const agents = useOperation('list_web_agents', { projectId, limit: mostRead });
  return { numbers, agents };
}

/** True until the lists are read or failed. */
export function useAreEntrancesPending(): boolean {
  const { numbers, agents } = useEntranceLists();
  return numbers.isPending || agents.isPending;
}

/** The entrances to a flow or conversation. */
export function entrancesTo(
  id: string,
  { phoneNumbers }: Output<'list_phone_numbers'>,
  { webAgents }: Output<'list_web_agents'>,
): Entrance[] {
  return [
    ...phoneNumbers
      .filter(({ handler }) => handler?.id === id)
      .map((one) => ({ id: one.id, place: `${one.number} (${one.name})`, isOff: one.status === 'disabled' })),
    ...webAgents
      .filter(({ conversationId }) => conversationId === id)
      .map((one) => ({ id: one.id, place: `Website: ${one.name}`, isOff: one.status === 'disabled' })),
  ];
}

/** True if no entrance that is switched on leads here. Undefined until it is known, and if there are too many to know. */
export function useIsUnreachable(id: string): boolean | undefined {
  const { numbers, agents } = useEntranceLists();
  if (!numbers.data || !agents.data) return undefined;
  if (entrancesTo(id, numbers.data, agents.data).some(({ isOff }) => !isOff)) return false;
  return (numbers.data.nextCursor ?? agents.data.nextCursor) === undefined ? true : undefined;
}
