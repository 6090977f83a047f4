import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  AgentProfile,
  AgentProfileInput,
  languageProblems,
  lockFlows,
  lockVoice,
  NewName,
} from '../../src/resources/agent-profiles/schema.ts';
import { requireSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';
import { defaultVoiceId } from '../../src/resources/voices/catalogue.ts';

const { flowIds, isDefault, supportedInputLanguages, reasoningMode, outputVoiceId } =
  AgentProfileInput.entries;

export const createAgentProfile = defineTool({
  name: 'create_agent_profile',
  title: 'Create an agent profile',
  description: 'Creates an agent profile: a name, a voice, languages and the flows that it speaks.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/agent-profiles', status: 201, omits: ['warnings'] },
  input: v.strictObject({
    projectId: ref('project'),
    name: NewName,
    flowIds: v.optional(flowIds, []),
    isDefault: v.optional(isDefault, false),
    supportedInputLanguages: v.optional(supportedInputLanguages, []),
    reasoningMode: v.optional(reasoningMode, 'balanced'),
    outputVoiceId: v.optional(outputVoiceId, defaultVoiceId),
  }),
  output: v.strictObject({ ...AgentProfile.entries, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: simpleAgentErrors,
  special: { unavailable: 'agent_config_unavailable' },
  check: ({ supportedInputLanguages: tags }) => languageProblems(tags),
  async handler({ stores }, input) {
    if (input.isDefault) await stores.agentProfiles.yieldDefault();
    await lockVoice(stores, input.outputVoiceId);
    const flows = await lockFlows(stores, input.flowIds);
    const created = await stores.agentProfiles.create(input, flows);
    await requireSimpleAgent(stores, created.id);
    const met = flows.map((id) => ({ kind: 'flow', id }) as const);
    return { ...created, ...(await warningsOfLive(stores, met)) };
  },
});
