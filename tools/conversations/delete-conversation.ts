import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';
import { refuseInUse } from '../../src/resources/record/in-use.ts';

export const deleteConversation = defineTool({
  name: 'delete_conversation',
  title: 'Delete a conversation',
  description:
    'Moves a conversation and its versions to the trash; restore_deleted brings them back within 30 days. Refused while a phone number or web agent uses the conversation: assign another one first.',
  rest: { method: 'DELETE', path: '/v1/conversations/{id}', from: { conversationId: 'path:id' } },
  input: v.strictObject({ conversationId: ref('conversation') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: { 409: ['in_use'] },
  consequences: ({ stores }, { conversationId }) => deletionInWords(stores, conversationId, 'conversation'),
  async handler({ stores }, { conversationId }) {
    refuseInUse('conversation', conversationId, await stores.conversations.referrers(conversationId));
    return deleted('conversation', conversationId, await stores.conversations.trash(conversationId));
  },
});
