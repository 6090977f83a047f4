import * as v from 'valibot';
import { Deleted } from '../../src/resources/deleted.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const deletePhoneNumber = defineTool({
  name: 'delete_phone_number',
  title: 'Delete a phone number',
  description:
    'Moves a phone number to the trash, where restore_deleted can bring it back for 30 days. Its calls are no longer answered.',
  rest: { method: 'DELETE', path: '/v1/phone-numbers/{phoneNumberId}' },
  input: v.strictObject({ phoneNumberId: ref('phoneNumber') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async handler({ stores }, { phoneNumberId }) {
    found((await stores.phoneNumbers.trash(phoneNumberId)) || undefined, 'phoneNumber', phoneNumberId);
    return { id: phoneNumberId, deleted: true as const };
  },
});
