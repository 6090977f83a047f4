import * as v from 'valibot';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import { disclosureOf } from '../../src/resources/designs/disclosure.ts';
import { holdNewest, newestNow, refuseOldBase } from '../../src/resources/designs/newest.ts';
import { savedDesign } from '../../src/resources/designs/saving.ts';
import { DesignDocument, designOnMcp, Tag, VersionWithDesign } from '../../src/resources/designs/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const writeDesign = defineTool({
  name: 'write_design',
  title: 'Write a design',
  description:
    'Stores a whole design as the next version of a conversation, inactive. Call validate_design before it; callers meet it after activate_conversation_version. baseVersion is the version that you read.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions',
    from: { conversationId: 'path:id', design: 'body', tag: 'body', baseVersion: 'body' },
    status: 201,
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    design: DesignDocument,
    tag: v.exactOptional(Tag),
    baseVersion: v.exactOptional(
      v.pipe(VersionNumber, v.description('Refused unless it is the newest: nothing written since is lost.')),
    ),
  }),
  output: VersionWithDesign,
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  mcp: { inputs: { design: designOnMcp }, required: ['baseVersion'], leavesOut: 'design' },
  async handler({ stores, services, signal, write }, { conversationId, design, tag = null, baseVersion }) {
    const before = services.confirmDisclosure && (await newestNow(stores, conversationId)).base;
    const disclosure = await disclosureOf({ services, signal }, design, before);
    return write(async (stores) => {
      const newest = await holdNewest(stores, conversationId);
      const saved = await savedDesign(stores, design, newest.base, disclosure);
      if (baseVersion !== undefined) await refuseOldBase(stores, conversationId, baseVersion, newest);
      const version = await stores.conversationVersions.create(conversationId, JSON.stringify(saved), tag);
      return { ...version, design: saved };
    });
  },
});
