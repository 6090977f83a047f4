import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  JudgedVersion,
  judgeVersion,
  reasonProblems,
  rejectionInputs,
} from '../../src/resources/version-control/version-rejection.ts';

export const rejectFlowVersion = defineTool({
  name: 'reject_flow_version',
  title: 'Reject a flow version',
  description:
    'Says that a version of a flow must not go live, nor what later versions keep of it. Over MCP, reject_version with flowId does this.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/versions/{version}/reject' },
  input: v.strictObject({ flowId: ref('flow'), ...rejectionInputs }),
  output: JudgedVersion,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { 409: ['in_use'] },
  check: reasonProblems,
  handler: ({ stores }, { flowId, ...judgement }) =>
    judgeVersion(stores, { kind: 'flow', id: flowId }, judgement),
});
