import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { HandledPhoneNumber } from '../../src/resources/phone-numbers/schema.ts';

export const getPhoneNumber = defineTool({
  name: 'get_phone_number',
  title: 'Get a phone number',
  description: 'Reads one phone number and who answers it, without the password of its trunk.',
  rest: { method: 'GET', path: '/v1/phone-numbers/{phoneNumberId}' },
  input: v.strictObject({ phoneNumberId: ref('phoneNumber') }),
  output: HandledPhoneNumber,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { keeps: ['handler'] },
  handler: async ({ stores }, { phoneNumberId }) =>
    found(await stores.phoneNumbers.find(phoneNumberId), 'phoneNumber', phoneNumberId),
});
