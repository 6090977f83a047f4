import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';

export const deletePhoneNumber = defineTool({
  name: 'delete_phone_number',
  title: 'Delete a phone number',
  description:
    'Moves a phone number to the trash; restore_deleted brings it back within 30 days. Its calls are no longer answered.',
  rest: { method: 'DELETE', path: '/v1/phone-numbers/{phoneNumberId}' },
  input: v.strictObject({ phoneNumberId: ref('phoneNumber') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  consequences: ({ stores }, { phoneNumberId }) =>
    deletionInWords(stores, phoneNumberId, 'phone number', () => 'Its calls are no longer answered.'),
  async handler({ stores }, { phoneNumberId }) {
    return deleted('phoneNumber', phoneNumberId, await stores.phoneNumbers.trash(phoneNumberId));
  },
});
