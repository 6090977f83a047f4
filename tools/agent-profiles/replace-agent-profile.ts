import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  AgentProfile,
  AgentProfileInput,
  lockAgentProfile,
  lockFlows,
  lockVoice,
} from '../../src/resources/agent-profiles/schema.ts';
import { requireSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const replaceAgentProfile = defineTool({
  name: 'replace_agent_profile',
  title: 'Replace an agent profile',
  description: 'Replaces all of an agent profile; flows left out of flowIds leave it.',
  rest: { method: 'PUT', path: '/v1/agent-profiles/{agentProfileId}', omits: ['warnings'] },
  input: v.strictObject({ agentProfileId: ref('agentProfile'), ...AgentProfileInput.entries }),
  output: v.strictObject({ ...AgentProfile.entries, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: simpleAgentErrors,
  special: {
    ignoredMembers: ['id', 'projectId', 'createdAt', 'updatedAt'],
    unavailable: 'agent_config_unavailable',
  },
  async consequences({ stores }, { agentProfileId, flowIds, ...content }) {
    const profile = await stores.agentProfiles.find(agentProfileId);
    if (!profile) return undefined;
    const removed = profile.flowIds.filter((id) => !flowIds.includes(id));
    const changed = (Object.keys(content) as (keyof typeof content)[]).filter(
      (name) => JSON.stringify(profile[name]) !== JSON.stringify(content[name]),
    );
    if (removed.length === 0 && changed.length === 0) return undefined;
    const lost =
      removed.length > 0
        ? ` It no longer speaks ${removed.length} of its ${profile.flowIds.length} flows.`
        : '';
    const others = changed.length > 0 ? ` It changes ${changed.join(', ')}.` : '';
    return `Replace the agent profile ${shortName(profile.name)}?${lost}${others} Its calls change at once.`;
  },
  async handler({ stores }, { agentProfileId, flowIds, ...content }) {
    if (content.isDefault) await stores.agentProfiles.yieldDefault(agentProfileId);
    await lockVoice(stores, content.outputVoiceId);
    const [, profile] = await Promise.all([
      lockAgentProfile(stores, agentProfileId),
      stores.agentProfiles.find(agentProfileId),
    ]);
    const current = found(profile, 'agentProfile', agentProfileId);
    const flows = await lockFlows(stores, flowIds, current.flowIds);
    const replaced = await stores.agentProfiles.replace(agentProfileId, content, flows);
    await requireSimpleAgent(stores, agentProfileId);
    const met = flows
      .filter((id) => !current.flowIds.includes(id))
      .map((id) => ({ kind: 'flow', id }) as const);
    return { ...found(replaced, 'agentProfile', agentProfileId), ...(await warningsOfLive(stores, met)) };
  },
});
