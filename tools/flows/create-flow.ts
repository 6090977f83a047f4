import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { lockAgentProfile } from '../../src/resources/agent-profiles/schema.ts';
import { requireSimpleAgent, simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { greetingWarnings, requireDisclosedGreeting } from '../../src/resources/designs/greeting.ts';
import { DesignWarning } from '../../src/resources/designs/schema.ts';
import { furtherFlowProblems, storedFlowSchema } from '../../src/resources/flows/format.ts';
import {
  AgentProfileReference,
  Flow,
  FlowDescription,
  FlowName,
  FlowSchema,
  flowSchemaOnMcp,
} from '../../src/resources/flows/schema.ts';
import { inheritRejections } from '../../src/resources/versions/rejection.ts';

export const createFlow = defineTool({
  name: 'create_flow',
  title: 'Create a flow',
  description:
    'Creates a flow; flowSchema becomes its version 1, active. No call uses a flow before a phone number names it.',
  rest: {
    method: 'POST',
    path: '/v1/projects/{projectId}/flows',
    status: 201,
    omits: ['versionId', 'warnings'],
  },
  input: v.strictObject({
    projectId: ref('project'),
    name: FlowName,
    description: v.optional(v.pipe(FlowDescription, v.description('What the flow is for.'))),
    type: v.optional(
      v.pipe(v.picklist(['simple', 'graph']), v.description('Which format flowSchema has.')),
      'simple',
    ),
    flowSchema: FlowSchema,
    agentProfileId: v.optional(AgentProfileReference),
  }),
  output: v.strictObject({
    ...Flow.entries,
    versionId: Cuid,
    warnings: v.exactOptional(v.array(DesignWarning)),
  }),
  access: 'draft',
  // A profile without a flow speaks it at once, wherever the profile answers.
  inputAccess: {
    agentProfileId: {
      access: 'publish',
      hint: 'Leave agentProfileId out: update_flow gives the flow to an agent later, with a key that may publish.',
    },
  },
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { ...simpleAgentErrors, 422: ['flow_schema_invalid', 'simple_agent_invalid'] },
  mcp: {
    link: ({ id }) => `/flows/${String(id)}`,
    inputs: { flowSchema: flowSchemaOnMcp },
    furtherProblems: furtherFlowProblems,
  },
  async handler({ stores }, { name, description = null, type, flowSchema, agentProfileId = null }) {
    if (agentProfileId !== null) await lockAgentProfile(stores, agentProfileId);
    const stored = storedFlowSchema(type, flowSchema);
    const [{ isAnyRejected, ...flow }] = await Promise.all([
      stores.flows.create({ name, description, type, agentProfileId, flowSchema: stored }),
      // Version 1 is active at once.
      requireDisclosedGreeting(stores, flowSchema),
    ]);
    if (agentProfileId !== null) await requireSimpleAgent(stores, agentProfileId);
    const handler = { kind: 'flow', id: flow.id } as const;
    const first = { version: 1, document: flowSchema };
    const rejected = isAnyRejected ? await inheritRejections(stores, handler, first) : [];
    const warnings = [...rejected, ...greetingWarnings(flowSchema)];
    return warnings.length > 0 ? { ...flow, warnings } : flow;
  },
});
