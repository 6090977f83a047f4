import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found, notFound } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { ListedVersion } from '../../src/resources/conversations/schema.ts';
import { Limit, NextCursor, NumberCursor, wholeList } from '../../src/resources/record/page.ts';
import { HistoryDetails, withHistory } from '../../src/resources/versions/version-history.ts';

export const listConversationVersions = defineTool({
  name: 'list_conversation_versions',
  title: 'List conversation versions',
  description:
    'Lists the versions of a conversation, newest first: who made each, which is active, when it was live. read_design reads their designs.',
  rest: { method: 'GET', path: '/v1/conversations/{id}/versions', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    limit: Limit,
    cursor: NumberCursor,
    details: HistoryDetails,
  }),
  output: v.strictObject({ versions: v.array(ListedVersion), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    keeps: ['createdAt'],
    implied: { details: true },
    outputSchema: false,
    pages: { items: 'versions', cursor: 'n', names: { n: 'version' } },
  },
  async handler({ stores }, { conversationId, limit, cursor, details }) {
    // Read before the versions, so that the active one is among them, and exactly one on all pages.
    const { activeVersion } = found(
      await stores.conversations.find(conversationId),
      'conversation',
      conversationId,
    );
    return wholeList({ limit, cursor }, async (page) => {
      const { items, ...more } = await stores.conversationVersions.list(conversationId, page);
      if (items.length === 0 && cursor === undefined) throw notFound('conversation', conversationId);
      const versions = items.map(({ n, tag, ...item }) =>
        withHistory({ n, tag, isActive: n === activeVersion, ...item }, details),
      );
      return { versions, ...more };
    });
  },
});
