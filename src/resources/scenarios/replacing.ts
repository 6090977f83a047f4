import { shortName, someOf } from '../../design/problem.ts';
import type { Stores } from '../../store/stores.ts';
import { expectedBy } from './change.ts';
import type { Scenario, ScenarioContent } from './schema.ts';

/** What saving scenarios takes away from those of the same names, in words; undefined if each still expects what it did. */
export async function replacementInWords(
  stores: Stores,
  conversationId: string,
  scenarios: readonly Scenario[],
): Promise<string | undefined> {
  if (scenarios.length === 0) return undefined;
  const conversation = await stores.conversations.find(conversationId);
  if (!conversation) return undefined;
  const stored = await stores.scenarios.withContent(conversationId, undefined);
  const before = new Map(stored.map(({ name, content }) => [name, expectedBy(content as ScenarioContent)]));
  const weaker = scenarios.filter((scenario) => {
    const expected = expectedBy(scenario);
    return [...(before.get(scenario.name) ?? [])].some((one) => !expected.has(one));
  });
  if (weaker.length === 0) return undefined;
  const which = `${weaker.length === 1 ? 'scenario' : 'scenarios'} ${someOf(weaker.map(({ name }) => name))}`;
  return `Replace the ${which} of the conversation ${shortName(conversation.name)}? Some of what was expected is lost: nobody notices any more if a change breaks it.`;
}
