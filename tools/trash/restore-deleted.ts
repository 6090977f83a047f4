import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { lockAgentProfile } from '../../src/resources/agent-profiles/schema.ts';
import { requireSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { countLimited, requireWithinPlan } from '../../src/resources/projects/plan-limits.ts';
import { TrashKind } from '../../src/resources/trash/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';
import { defaultVoiceId, isBuiltInVoice } from '../../src/resources/voices/catalogue.ts';
import type { Stores } from '../../src/store/stores.ts';

export const restoreDeleted = defineTool({
  name: 'restore_deleted',
  title: 'Restore something deleted',
  description: 'Brings an entry of the trash back under its old id, as it was. list_trash shows the entries.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/trash/{trashId}/restore' },
  input: v.strictObject({ projectId: ref('project'), trashId: ref('trash') }),
  output: v.strictObject({
    id: Cuid,
    kind: TrashKind,
    restored: v.literal(true),
    warnings: Warnings,
  }),
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  mcp: { openWorld: true },
  errors: { ...simpleAgentErrors, 403: ['plan_limit_exceeded'], 409: ['in_use'] },
  async handler({ stores }, { trashId }) {
    // Lock the project before the restored rows, in the order of operations that count records or delete voices.
    const { plan } = await stores.projects.hold();
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
    const met = kind === 'flow' || kind === 'conversation' ? [{ kind, id }] : [];
    return { id, kind, restored: true as const, ...(await warningsOfLive(stores, met)) };
  },
});

const limitedResources: {
  readonly [kind in v.InferOutput<typeof TrashKind>]?:
    | 'conversations'
    | 'knowledgeBases'
    | 'phoneNumbers'
    | 'voices';
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
