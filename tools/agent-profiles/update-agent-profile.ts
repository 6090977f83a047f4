import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  AgentProfile,
  AgentProfileInput,
  languageProblems,
  lockAgentProfile,
  lockFlows,
  lockVoice,
  NewName,
} from '../../src/resources/agent-profiles/schema.ts';
import { requireSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const updateAgentProfile = defineTool({
  name: 'update_agent_profile',
  title: 'Update an agent profile',
  description: 'Changes only the members of an agent profile that you give. A list replaces the whole list.',
  rest: { method: 'PATCH', path: '/v1/agent-profiles/{agentProfileId}', omits: ['warnings'] },
  input: v.strictObject({
    agentProfileId: ref('agentProfile'),
    ...v.partial(v.strictObject({ ...AgentProfileInput.entries, name: NewName })).entries,
  }),
  output: v.strictObject({ ...AgentProfile.entries, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: simpleAgentErrors,
  special: { unavailable: 'agent_config_unavailable' },
  check: ({ supportedInputLanguages: tags = [] }) => languageProblems(tags),
  async handler({ stores }, { agentProfileId, flowIds, ...change }) {
    if (change.isDefault) await stores.agentProfiles.yieldDefault(agentProfileId);
    if (change.outputVoiceId !== undefined) await lockVoice(stores, change.outputVoiceId);
    await lockAgentProfile(stores, agentProfileId);
    const current = found(await stores.agentProfiles.find(agentProfileId), 'agentProfile', agentProfileId);
    const flows = flowIds && (await lockFlows(stores, flowIds, current.flowIds));
    const updated = await stores.agentProfiles.update(current, change, flows);
    if (flows) await requireSimpleAgent(stores, agentProfileId);
    const met = (flows ?? [])
      .filter((id) => !current.flowIds.includes(id))
      .map((id) => ({ kind: 'flow', id }) as const);
    return { ...updated, ...(await warningsOfLive(stores, met)) };
  },
});
