import * as v from 'valibot';
import { holdToSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { greetingWarnings, holdToDisclosure } from '../../src/resources/flows/greeting.ts';
import { FlowVersion } from '../../src/resources/flows/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const activateFlowVersion = defineTool({
  name: 'activate_flow_version',
  title: 'Activate a flow version',
  description:
    'Makes this version the one that calls use; the one active before becomes inactive. Activating an older version rolls back.',
  rest: { method: 'POST', path: '/v1/flow-versions/{versionId}/activate' },
  input: v.strictObject({ versionId: ref('flowVersion') }),
  output: FlowVersion,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { ...simpleAgentErrors, 422: ['flow_schema_invalid', 'simple_agent_invalid'] },
  mcp: { leavesOut: 'flowSchema', warn: ({ flowSchema }) => greetingWarnings(flowSchema) },
  async handler({ stores }, { versionId }) {
    const activated = await stores.flowVersions.activate(versionId);
    const { version, agentProfileId } = found(activated, 'flowVersion', versionId);
    await holdToDisclosure(stores, version.flowSchema);
    if (agentProfileId !== null) await holdToSimpleAgent(stores, agentProfileId);
    return version;
  },
});
