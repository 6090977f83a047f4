import * as v from 'valibot';
import { VersionSummary } from '../../src/resources/conversations/schema.ts';
import { Limit, NextCursor, NumberCursor } from '../../src/resources/page.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const listConversationVersions = defineTool({
  name: 'list_conversation_versions',
  title: 'List conversation versions',
  description:
    'Lists the versions of a conversation, newest first, and which one is active. read_design reads their designs.',
  rest: { method: 'GET', path: '/v1/conversations/{id}/versions', from: { conversationId: 'path:id' } },
  input: v.strictObject({ conversationId: ref('conversation'), limit: Limit, cursor: NumberCursor }),
  output: v.strictObject({ versions: v.array(VersionSummary), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true, transaction: 'snapshot' },
  mcp: { outputSchema: false, pages: { items: 'versions', cursor: 'n' } },
  async handler({ stores }, { conversationId, limit, cursor }) {
    const conversation = found(
      await stores.conversations.find(conversationId),
      'conversation',
      conversationId,
    );
    const { items, ...more } = await stores.conversationVersions.list(conversationId, { limit, cursor });
    const versions = items.map(({ n, tag, createdAt }) => ({
      n,
      tag,
      isActive: n === conversation.activeVersion,
      createdAt,
    }));
    return { versions, ...more };
  },
});
