import { shortName } from '../../design/problem.ts';
import type { Stores } from '../../store/stores.ts';
import type { Use } from '../search/uses.ts';

/** The kinds of record whose deletion is refused while something uses them. */
const keptWhileUsed: ReadonlySet<string> = new Set([
  'flow',
  'conversation',
  'agentProfile',
  'integration',
  'knowledgeBase',
]);

/** How each kind of user is called in a sentence. */
const nouns: Readonly<Record<Use['kind'], string>> = {
  phoneNumber: 'the phone number',
  webAgent: 'the web agent',
  flow: 'the flow',
  conversation: 'the conversation',
  agentProfile: 'the agent profile',
};

/** Users of a record that a sentence names. */
const mostNamed = 6;

/**
 * What moving a record to the trash does, in words; undefined if there is no such record, or if it is refused because
 * something uses it.
 * @param noun what people call such a record
 * @param effect what follows from it, in one sentence
 */
export async function deletionInWords(
  stores: Stores,
  id: string,
  noun: string,
  effect: (users: readonly Use[]) => string = () => 'Nothing that callers meet uses it.',
): Promise<string | undefined> {
  const [record, users] = await Promise.all([stores.uses.record(id), stores.uses.of([id])]);
  if (!record || (users.length > 0 && keptWhileUsed.has(record.kind))) return undefined;
  return `Delete the ${noun} ${shortName(record.name)}? ${effect(users)} It goes to the trash, and restore_deleted can bring it back for 30 days.`;
}

/** What uses a record, such as `the phone number +49301234 ("Desk") and the web agent "Site"`; undefined for nothing. */
export function usersInWords(users: readonly Use[]): string | undefined {
  const named = users
    .slice(0, mostNamed)
    .map(
      ({ kind, name, number }) =>
        `${nouns[kind]} ${number ? `${number} (${shortName(name)})` : shortName(name)}`,
    );
  const more = users.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named[0];
}
