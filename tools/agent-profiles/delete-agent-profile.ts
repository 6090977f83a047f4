import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';
import { refuseInUse } from '../../src/resources/record/in-use.ts';

export const deleteAgentProfile = defineTool({
  name: 'delete_agent_profile',
  title: 'Delete an agent profile',
  description:
    'Moves an agent profile that no flow names to the trash; restore_deleted brings it back within 30 days.',
  rest: { method: 'DELETE', path: '/v1/agent-profiles/{agentProfileId}' },
  input: v.strictObject({ agentProfileId: ref('agentProfile') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: { 409: ['in_use'] },
  consequences: ({ stores }, { agentProfileId }) => deletionInWords(stores, agentProfileId, 'agent profile'),
  async handler({ stores }, { agentProfileId }) {
    refuseInUse('agentProfile', agentProfileId, await stores.agentProfiles.referrers(agentProfileId));
    return deleted('agentProfile', agentProfileId, await stores.agentProfiles.trash(agentProfileId));
  },
});
