import type { Caller } from '../../operation/context.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { changeBetween } from './change.ts';
import type { ScenarioContent } from './schema.ts';
import type { ScenarioChange, StoredScenario } from './store.ts';

/** Names that an error lists. */
const mostNamed = 5;

/** A scenario before and after a call; undefined if there is none. */
export interface ScenarioEdit {
  readonly name: string;
  readonly before: StoredScenario | undefined;
  readonly after: ScenarioContent | undefined;
}

/**
 * Records what a call changes about the scenarios of a conversation, for those who decide on its drafts. The caller holds
 * the conversation.
 * @throws ToolError `forbidden` if the conversation requires its scenarios, the call makes one pass more easily, and the
 * key may not publish: otherwise whoever writes a draft could also empty the gate in front of it
 */
export async function requireScenarioGate(
  { stores, caller }: { readonly stores: Stores; readonly caller: Caller },
  conversationId: string,
  edits: readonly ScenarioEdit[],
): Promise<void> {
  const changed = edits.filter((edit) => changeBy(edit) !== undefined);
  if (changed.length === 0) return;
  const eased = changed.filter((edit) => !harmless.has(changeBy(edit)));
  if (
    eased.length > 0 &&
    !caller.access.has('publish') &&
    (await stores.conversations.requiresScenarios(conversationId))
  )
    throw needsPublish(caller, conversationId, eased);
  const recorded = await stores.scenarios.changed(
    conversationId,
    changed.map(({ name }) => name),
  );
  await stores.scenarios.recordChanges(
    conversationId,
    changed.map(({ name, before, after }) => {
      const baseline = recorded.has(name) ? recorded.get(name) : before?.content;
      return { name, before: baseline, change: changeBetween((baseline ?? undefined) as Content, after) };
    }),
  );
}

type Content = ScenarioContent | undefined;

function changeBy({ before, after }: ScenarioEdit): ScenarioChange | undefined {
  return changeBetween(before?.content as Content, after);
}

/** Changes that make no version pass that did not pass before. */
const harmless: ReadonlySet<ScenarioChange | undefined> = new Set(['added', 'strengthened']);

function needsPublish({ access }: Caller, conversationId: string, eased: readonly ScenarioEdit[]): ToolError {
  const names = eased.slice(0, mostNamed).map(({ name }) => JSON.stringify(name));
  const more = eased.length > names.length ? ` and ${eased.length - names.length} more` : '';
  return new ToolError(
    'forbidden',
    `The conversation requires its scenarios, so changing or deleting ${names.join(', ')}${more} needs the access "publish"; this key has ${[...access].join(', ')}.`,
    {
      hint: `New scenarios and further expectations need "draft" only. ${callText('list_scenarios', { conversationId })} lists what there is.`,
    },
  );
}
