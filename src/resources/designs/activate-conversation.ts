import type { Design } from '../../design/schema/design.ts';
import { found } from '../../operation/found.ts';
import type { Stores } from '../../store/stores.ts';
import { versionNotFound } from '../conversations/schema.ts';
import type { Conversation } from '../conversations/store.ts';
import { requireScenariosPassed } from '../scenarios/require.ts';
import type { Trial } from '../scenarios/trial.ts';
import { activatedAtOnce, answersOf } from '../versions/activation.ts';
import { refuseRejected } from '../versions/rejection.ts';
import { prepareToActivate } from './prepare.ts';
import { exposedDesign, requireExposed } from './stored-design.ts';

/**
 * Makes a version of a conversation the active one, in the transaction of a change.
 * @param trial what its scenarios did in this call
 * @returns the conversation with the design of that version, or null if the API does not expose it
 * @throws ToolError `not_found`; what `prepareToActivate` and `requireScenariosPassed` throw; `version_rejected`
 */
export async function activateConversation(
  stores: Stores,
  conversationId: string,
  n: number,
  trial?: Trial,
): Promise<Conversation & { readonly design: Design | null }> {
  const version = found(
    await stores.conversationVersions.find(conversationId, n),
    'conversation',
    conversationId,
  );
  if (version.n === null) throw versionNotFound(conversationId, n);
  const { activeVersion, ...conversation } = found(
    await stores.conversations.find(conversationId),
    'conversation',
    conversationId,
  );
  // A version that is active already stays active: the response is that of PATCH.
  if (activeVersion === n && version.design !== null && exposedDesign(version.design) === null)
    return { ...conversation, activeVersion, design: null };
  const design = version.design === null ? null : requireExposed(version.design, conversationId);
  // Going back to an older version must work, whatever it lacks.
  const before =
    n > activeVersion ? await stores.conversationVersions.design(conversationId, activeVersion) : null;
  const replaced = exposedDesign(before) ?? undefined;
  const references = design ? await prepareToActivate(stores, design, replaced) : undefined;
  await requireScenariosPassed(stores, conversationId, n, trial);
  const activated = await stores.conversations.activate(conversationId, n, references);
  const handler = { kind: 'conversation', id: conversationId } as const;
  // This gate comes after the act, which locks the conversation: of two calls at once, the second sees what the first did.
  await refuseRejected(stores, handler, { version: n, document: version.design });
  return { ...found(activated, 'conversation', conversationId), design };
}

/**
 * Activates a version that this transaction has stored.
 * @returns where callers meet it
 * @throws ToolError what `activateConversation` throws, with the hint that nothing was stored
 */
export async function putLive(
  stores: Stores,
  conversationId: string,
  n: number,
  trial?: Trial,
): Promise<string[]> {
  await activatedAtOnce(activateConversation(stores, conversationId, n, trial));
  return answersOf(stores, { kind: 'conversation', id: conversationId });
}
