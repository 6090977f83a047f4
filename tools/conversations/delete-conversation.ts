import * as v from 'valibot';
import { ToolError } from '../../src/errors.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';
import { Deleted } from '../deleted.ts';

export const deleteConversation = defineTool({
  name: 'delete_conversation',
  title: 'Delete a conversation',
  description:
    'Moves a conversation that no web agent names to the trash with its versions, where restore_deleted can bring them back for 30 days.',
  rest: { method: 'DELETE', path: '/v1/conversations/{id}', from: { conversationId: 'path:id' } },
  input: v.strictObject({ conversationId: ref('conversation') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async handler({ stores }, { conversationId }) {
    const references = found(
      await stores.conversations.referrers(conversationId),
      'conversation',
      conversationId,
    );
    if (references.length > 0)
      throw new ToolError('in_use', `The conversation ${conversationId} is in use.`, {
        details: { references },
      });
    await stores.conversations.trash(conversationId);
    return { id: conversationId, deleted: true as const };
  },
});
