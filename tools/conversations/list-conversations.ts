import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Conversation } from '../../src/resources/conversations/schema.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';

export const listConversations = defineTool({
  name: 'list_conversations',
  title: 'List conversations',
  description: 'Lists conversations, newest first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/conversations' },
  input: v.strictObject({ projectId: ref('project'), limit: limitOr(50), cursor: idCursor('conversation') }),
  output: v.strictObject({ conversations: v.array(Conversation), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'conversations', cursor: 'id' } },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.conversations.list({ limit, cursor });
    return { conversations: items, ...more };
  },
});
