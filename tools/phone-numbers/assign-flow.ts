import * as v from 'valibot';
import { assign } from '../../src/resources/phone-numbers/assigning.ts';
import { PhoneNumber, specified } from '../../src/resources/phone-numbers/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const assignFlow = defineTool({
  name: 'assign_flow',
  title: 'Let a flow answer a number',
  description:
    'Makes a flow answer the calls of a phone number, in place of the flow or conversation that does. Null removes the flow.',
  rest: { method: 'PATCH', path: '/v1/phone-numbers/{phoneNumberId}/flow' },
  input: v.strictObject({
    phoneNumberId: ref('phoneNumber'),
    flowId: v.pipe(v.nullable(ref('flow')), v.description('Flow that answers from now on, or null.')),
  }),
  output: PhoneNumber,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  async handler({ stores }, { phoneNumberId, flowId }) {
    const { number } = await assign(stores, phoneNumberId, 'flow', flowId);
    return specified(number);
  },
});
