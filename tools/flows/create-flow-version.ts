import * as v from 'valibot';
import { furtherVersionProblems, storedFlowSchema } from '../../src/resources/flows/format.ts';
import { greetingWarnings } from '../../src/resources/flows/greeting.ts';
import { FlowSchema, FlowVersion } from '../../src/resources/flows/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

/** create_flow describes the format; a second time would cost every client tokens. */
const wholeConfiguration = {
  type: 'object',
  description: 'The whole configuration; create_flow describes its format.',
};

export const createFlowVersion = defineTool({
  name: 'create_flow_version',
  title: 'Create a flow version',
  description:
    'Stores a configuration as the next version of a flow, inactive. To change a part, use edit_flow. Calls use it after activate_flow_version.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/versions', status: 201 },
  input: v.strictObject({ flowId: ref('flow'), flowSchema: FlowSchema }),
  output: FlowVersion,
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 422: ['flow_schema_invalid'] },
  mcp: {
    inputs: { flowSchema: wholeConfiguration },
    leavesOut: 'flowSchema',
    furtherProblems: furtherVersionProblems('flowSchema'),
    warn: ({ flowSchema }) => greetingWarnings(flowSchema),
  },
  async handler({ stores }, { flowId, flowSchema }) {
    const { type } = found(await stores.flows.find(flowId), 'flow', flowId);
    const stored = storedFlowSchema(type, flowSchema);
    return found(await stores.flowVersions.create(flowId, stored), 'flow', flowId);
  },
});
