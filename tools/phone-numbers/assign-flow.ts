import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import {
  assign,
  disabledWarnings,
  reassignmentInWords,
} from '../../src/resources/phone-numbers/assigning.ts';
import { NumberHandler, PhoneNumber } from '../../src/resources/phone-numbers/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const assignFlow = defineTool({
  name: 'assign_flow',
  title: 'Let a flow answer a number',
  description:
    'Makes a flow answer a phone number, and shows which handler it replaced. Null removes the flow.',
  rest: {
    method: 'PATCH',
    path: '/v1/phone-numbers/{phoneNumberId}/flow',
    omits: ['handler', 'replaced', 'warnings'],
  },
  input: v.strictObject({
    phoneNumberId: ref('phoneNumber'),
    flowId: v.pipe(v.nullable(ref('flow')), v.description('Flow that answers from now on, or null.')),
  }),
  output: v.strictObject({
    ...PhoneNumber.entries,
    handler: NumberHandler,
    replaced: NumberHandler,
    warnings: Warnings,
  }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  mcp: { keeps: ['handler', 'replaced'], warn: disabledWarnings },
  consequences: ({ stores }, { phoneNumberId, flowId }) =>
    reassignmentInWords(stores, phoneNumberId, 'flow', flowId),
  async handler({ stores }, { phoneNumberId, flowId }) {
    const { number, replaced } = await assign(stores, phoneNumberId, 'flow', flowId);
    const handler = flowId === null ? null : ({ kind: 'flow', id: flowId } as const);
    return { ...number, replaced, ...(await warningsOfLive(stores, [handler])) };
  },
});
