import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { callText } from '../../src/platform/errors.ts';
import { Conversation } from '../../src/resources/conversations/schema.ts';
import { DesignDocument } from '../../src/resources/designs/schema.ts';
import { exposedDesign } from '../../src/resources/designs/stored-design.ts';
import { details } from '../../src/resources/record/details.ts';

export const getConversation = defineTool({
  name: 'get_conversation',
  title: 'Get a conversation',
  description:
    'Reads a conversation and the numbers of its active and newest version. read_design reads a long design in parts.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}',
    from: { conversationId: 'path:id' },
    omits: ['newestVersion', 'requireScenarios'],
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    details: details('the active design'),
  }),
  output: v.strictObject({
    ...Conversation.entries,
    newestVersion: v.pipe(v.number(), v.integer()),
    requireScenarios: v.boolean(),
    design: v.exactOptional(v.nullable(DesignDocument)),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    shorten: (response, { conversationId }) => ({
      ...(response as JsonObject),
      design: null,
      truncated: true,
      hint: `The design is too long for one response. ${callText('read_design', { conversationId, version: 'active', outline: true })} shows its parts.`,
    }),
    resource: {
      uri: 'parley://conversations/{conversationId}/design',
      name: 'conversation-design',
      title: 'Active design',
      description: 'The active cd/1 design of a conversation.',
      input: { details: true },
      member: 'design',
      watched: 'conversation',
    },
  },
  async handler({ stores }, { conversationId, details }) {
    const conversation = found(
      await stores.conversations.findNumbered(conversationId),
      'conversation',
      conversationId,
    );
    if (!details) return conversation;
    const stored = await stores.conversationVersions.design(conversationId, conversation.activeVersion);
    return { ...conversation, design: exposedDesign(stored) };
  },
});
