import { found } from '../../operation/found.ts';
import type { Stores } from '../../store/stores.ts';
import type { TrashKind } from '../../store/trashed-rows.ts';
import { lockAgentProfile } from '../agent-profiles/schema.ts';
import { requireSimpleAgent } from '../agent-profiles/simple-agent.ts';
import { countLimited, requireWithinPlan } from '../projects/plan-limits.ts';
import type { Plan } from '../projects/store.ts';
import { defaultVoiceId, isBuiltInVoice } from '../voices/catalogue.ts';

/**
 * Restores an entry of the trash. The project must be locked.
 * @throws ToolError `not_found`, `in_use`, `plan_limit_exceeded`, or what `requireSimpleAgent` throws
 */
export async function restoreEntry(
  stores: Stores,
  plan: Plan,
  trashId: string,
): Promise<{ readonly id: string; readonly kind: TrashKind }> {
  const { id, kind } = found(await stores.trash.restore(trashId), 'trash', trashId);
  // The plan, the profile or the voice may have changed since the deletion.
  const flow = kind === 'flow' ? await stores.flows.find(id) : undefined;
  if (flow?.agentProfileId) {
    await lockAgentProfile(stores, flow.agentProfileId);
    await requireSimpleAgent(stores, flow.agentProfileId);
  }
  if (kind === 'agentProfile') await giveVoice(stores, id);
  const limited = limitedResources[kind];
  if (limited) {
    const count = await countLimited(stores, plan, limited);
    requireWithinPlan(plan, limited, count - 1, count);
  }
  return { id, kind };
}

const limitedResources: {
  readonly [kind in TrashKind]?: 'conversations' | 'knowledgeBases' | 'phoneNumbers' | 'voices';
} = {
  conversation: 'conversations',
  knowledgeBase: 'knowledgeBases',
  phoneNumber: 'phoneNumbers',
  voice: 'voices',
};

/** Gives a profile the default voice if its voice was deleted, as the deletion of a voice does. */
async function giveVoice(stores: Stores, agentProfileId: string): Promise<void> {
  const { outputVoiceId } = found(
    await stores.agentProfiles.find(agentProfileId),
    'agentProfile',
    agentProfileId,
  );
  if (!isBuiltInVoice(outputVoiceId) && !(await stores.voices.hold(outputVoiceId)))
    await stores.agentProfiles.replaceVoice(outputVoiceId, defaultVoiceId);
}
