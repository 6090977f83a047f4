import * as v from 'valibot';
import { Answers } from '../../src/resources/activation.ts';
import { simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { activateFlow } from '../../src/resources/flows/activate.ts';
import { greetingWarnings } from '../../src/resources/flows/greeting.ts';
import { FlowVersion } from '../../src/resources/flows/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const activateFlowVersion = defineTool({
  name: 'activate_flow_version',
  title: 'Activate a flow version',
  description:
    'Makes this version the one that calls use; the one active before becomes inactive. Activating an older version rolls back.',
  rest: { method: 'POST', path: '/v1/flow-versions/{versionId}/activate' },
  input: v.strictObject({ versionId: ref('flowVersion') }),
  output: v.strictObject({ ...FlowVersion.entries, answers: Answers }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { ...simpleAgentErrors, 422: ['flow_schema_invalid', 'simple_agent_invalid'] },
  mcp: { leavesOut: 'flowSchema', adds: ['answers'], warn: ({ flowSchema }) => greetingWarnings(flowSchema) },
  handler: ({ stores }, { versionId }) => activateFlow(stores, versionId),
});
