import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { lockAgentProfile } from '../../src/resources/agent-profiles/schema.ts';
import { requireSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { AgentProfileReference, Flow, FlowDescription, FlowName } from '../../src/resources/flows/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const updateFlow = defineTool({
  name: 'update_flow',
  title: 'Update a flow',
  description:
    'Changes name, description or agent profile of a flow; what is left out stays. Its configuration changes with create_flow_version.',
  rest: { method: 'PATCH', path: '/v1/flows/{flowId}', omits: ['warnings'] },
  input: v.strictObject({
    flowId: ref('flow'),
    name: v.optional(FlowName),
    description: v.optional(
      v.pipe(v.nullable(FlowDescription), v.description('What it is for; null clears it.')),
    ),
    agentProfileId: v.optional(AgentProfileReference),
  }),
  output: v.strictObject({ ...Flow.entries, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: simpleAgentErrors,
  async handler({ stores }, { flowId, ...change }) {
    const { agentProfileId } = change;
    if (agentProfileId) await lockAgentProfile(stores, agentProfileId);
    const flow = found(await stores.flows.update(flowId, change), 'flow', flowId);
    if (agentProfileId) await requireSimpleAgent(stores, agentProfileId);
    const met = agentProfileId ? [{ kind: 'flow', id: flowId } as const] : [];
    return { ...flow, ...(await warningsOfLive(stores, met)) };
  },
});
