import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { HandledPhoneNumber } from '../../src/resources/phone-numbers/schema.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';

export const listPhoneNumbers = defineTool({
  name: 'list_phone_numbers',
  title: 'List phone numbers',
  description: 'Lists phone numbers and who answers each, newest first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/phone-numbers' },
  input: v.strictObject({ projectId: ref('project'), limit: limitOr(50), cursor: idCursor('phoneNumber') }),
  output: v.strictObject({ phoneNumbers: v.array(HandledPhoneNumber), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { keeps: ['handler'], outputSchema: false, pages: { items: 'phoneNumbers', cursor: 'id' } },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.phoneNumbers.list({ limit, cursor });
    return { phoneNumbers: items, ...more };
  },
});
