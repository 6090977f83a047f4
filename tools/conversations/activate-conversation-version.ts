import * as v from 'valibot';
import { VersionNumber, versionNotFound } from '../../src/resources/conversations/schema.ts';
import { readableDesign } from '../../src/resources/designs/exposed.ts';
import { holdNamedRecords } from '../../src/resources/designs/saving.ts';
import { ConversationWithDesign } from '../../src/resources/designs/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const activateConversationVersion = defineTool({
  name: 'activate_conversation_version',
  title: 'Activate a conversation version',
  description:
    'Makes this version the one that callers meet; the one active before becomes inactive. Activating an older version rolls back. A version that names a missing secret or integration is refused.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions/{n}/activate',
    from: { conversationId: 'path:id', n: 'path' },
  },
  input: v.strictObject({ conversationId: ref('conversation'), n: VersionNumber }),
  output: ConversationWithDesign,
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: true },
  mcp: { leavesOut: 'design' },
  async handler({ stores }, { conversationId, n }) {
    const version = found(
      await stores.conversationVersions.find(conversationId, n),
      'conversation',
      conversationId,
    );
    if (version.n === null) throw versionNotFound(conversationId, n);
    const design = version.design === null ? null : readableDesign(version.design);
    const references = design ? await holdNamedRecords(stores, design) : undefined;
    const activated = await stores.conversations.activate(conversationId, n, references);
    return { ...found(activated, 'conversation', conversationId), design };
  },
});
