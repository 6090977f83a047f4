import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { exactlyOneOf } from '../../src/resources/designs/edit.ts';
import {
  JudgedVersion,
  judgeVersion,
  reasonProblems,
  rejectionInputs,
} from '../../src/resources/version-control/version-rejection.ts';
import { rejectFlowVersion } from './reject-flow-version.ts';

export const rejectVersion = defineTool({
  name: 'reject_version',
  title: 'Reject a version',
  description:
    'Says that a version must not go live, nor what later versions keep of it: activating them is refused.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions/{n}/reject',
    from: { conversationId: 'path:id', version: 'path:n' },
    omitsInputs: ['flowId'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    ...rejectionInputs,
  }),
  output: JudgedVersion,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { 409: ['in_use'] },
  mcp: { covers: [rejectFlowVersion] },
  check: ({ conversationId, flowId, ...judgement }) => [
    ...exactlyOneOf(['conversationId', 'flowId'], { conversationId, flowId }),
    ...reasonProblems(judgement),
  ],
  handler: ({ stores }, { conversationId, flowId = '', ...judgement }) =>
    judgeVersion(
      stores,
      conversationId === undefined
        ? { kind: 'flow', id: flowId }
        : { kind: 'conversation', id: conversationId },
      judgement,
    ),
});
