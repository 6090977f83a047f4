import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  AgentReference,
  ConversationDescription,
  ConversationName,
  lockAgent,
} from '../../src/resources/conversations/schema.ts';
import { ConversationWithDesign } from '../../src/resources/designs/schema.ts';
import { exposedDesign } from '../../src/resources/designs/stored-design.ts';

export const updateConversation = defineTool({
  name: 'update_conversation',
  title: 'Update a conversation',
  description:
    'Changes the name, description or agent profile of a conversation. What is left out stays. edit_design and write_design change its design.',
  rest: { method: 'PATCH', path: '/v1/conversations/{id}', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    name: v.optional(ConversationName),
    description: v.optional(
      v.pipe(v.nullable(ConversationDescription), v.description('What it is for; null clears it.')),
    ),
    agentId: v.optional(AgentReference),
    requireScenarios: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'True: a version goes live only if all scenarios passed on it, or back if it was live.',
        ),
      ),
    ),
  }),
  output: ConversationWithDesign,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  mcp: { leavesOut: ['design'] },
  async handler({ stores }, { conversationId, ...change }) {
    await lockAgent(stores, change.agentId);
    const updated = await stores.conversations.update(conversationId, change);
    const conversation = found(updated, 'conversation', conversationId);
    const stored = await stores.conversationVersions.design(conversationId, conversation.activeVersion);
    return { ...conversation, design: exposedDesign(stored) };
  },
});
