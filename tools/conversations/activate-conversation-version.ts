import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { numberOf, Version } from '../../src/resources/conversations/schema.ts';
import { activateConversation } from '../../src/resources/designs/activate-conversation.ts';
import { activationInWords } from '../../src/resources/designs/activation-loss.ts';
import { ConversationWithDesign, Warnings } from '../../src/resources/designs/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { tryScenarios } from '../../src/resources/scenarios/trial.ts';
import { Answers, answersOf } from '../../src/resources/versions/activation.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const activateConversationVersion = defineTool({
  name: 'activate_conversation_version',
  title: 'Activate a conversation version',
  description:
    'Makes a version live in place of the active one; an older one rolls back. Plays required scenarios. Refused if a call collects or transfers before it discloses the AI, or if a secret or integration is missing.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions/{n}/activate',
    from: { conversationId: 'path:id', version: 'path:n' },
    omits: ['answers', 'warnings'],
  },
  input: v.strictObject({ conversationId: ref('conversation'), version: Version }),
  output: v.strictObject({ ...ConversationWithDesign.entries, answers: Answers, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true, transaction: 'own' },
  errors: {
    409: ['version_rejected'],
    422: ['unknown_integration_ref', 'design_invalid'],
    501: ['unsupported_step'],
  },
  mcp: { leavesOut: ['design'], openWorld: true },
  async consequences({ stores }, { conversationId, version }) {
    return activationInWords(stores, conversationId, await numberOf(stores, conversationId, version));
  },
  async handler(context, { conversationId, version: chosen }) {
    const version = await numberOf(context.stores, conversationId, chosen);
    const design = () => loadDesign(context.stores, conversationId, version);
    const trial = await tryScenarios(context, conversationId, design, version);
    return context.write(async (stores) => {
      const activated = await activateConversation(stores, conversationId, version, trial);
      const handler = { kind: 'conversation', id: conversationId } as const;
      const answers = await answersOf(stores, handler);
      return { ...activated, answers, ...(await warningsOfLive(stores, [handler])) };
    });
  },
});
