import * as v from 'valibot';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';
import { Conversation } from './schema.ts';

export const getConversation = defineTool({
  name: 'get_conversation',
  title: 'Get a conversation',
  description: 'Reads one conversation and the number of its active version. Its design: read_design.',
  rest: { method: 'GET', path: '/v1/conversations/{id}', from: { conversationId: 'path:id' } },
  input: v.strictObject({ conversationId: ref('conversation') }),
  output: Conversation,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }, { conversationId }) {
    return found(await stores.conversations.find(conversationId), 'conversation', conversationId);
  },
});
