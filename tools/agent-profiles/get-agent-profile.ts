import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { AgentProfile } from '../../src/resources/agent-profiles/schema.ts';

export const getAgentProfile = defineTool({
  name: 'get_agent_profile',
  title: 'Get an agent profile',
  description: 'Reads one agent profile.',
  rest: { method: 'GET', path: '/v1/agent-profiles/{agentProfileId}' },
  input: v.strictObject({ agentProfileId: ref('agentProfile') }),
  output: AgentProfile,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }, { agentProfileId }) {
    return found(await stores.agentProfiles.find(agentProfileId), 'agentProfile', agentProfileId);
  },
});
