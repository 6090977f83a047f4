import * as v from 'valibot';
import {
  AgentProfile,
  AgentProfileInput,
  holdFlows,
  holdProfile,
  holdVoice,
} from '../../src/resources/agent-profiles/schema.ts';
import { holdToSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const replaceAgentProfile = defineTool({
  name: 'replace_agent_profile',
  title: 'Replace an agent profile',
  description:
    'Replaces all of an agent profile: every member is required, and flows left out of flowIds are removed from it. get_agent_profile shows the current members.',
  rest: { method: 'PUT', path: '/v1/agent-profiles/{agentProfileId}' },
  input: v.strictObject({ agentProfileId: ref('agentProfile'), ...AgentProfileInput.entries }),
  output: AgentProfile,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: simpleAgentErrors,
  special: { ignoredMembers: ['id', 'projectId', 'createdAt', 'updatedAt'] },
  async handler({ stores }, { agentProfileId, flowIds, ...content }) {
    if (content.isDefault) await stores.agentProfiles.yieldDefault(agentProfileId);
    await holdVoice(stores, content.outputVoiceId);
    const [, profile] = await Promise.all([
      holdProfile(stores, agentProfileId),
      stores.agentProfiles.find(agentProfileId),
    ]);
    const current = found(profile, 'agentProfile', agentProfileId);
    const flows = await holdFlows(stores, flowIds, current.flowIds);
    const replaced = await stores.agentProfiles.replace(agentProfileId, content, flows);
    await holdToSimpleAgent(stores, agentProfileId);
    return found(replaced, 'agentProfile', agentProfileId);
  },
});
