import * as v from 'valibot';
import { numberOf, Version, versionNotFound } from '../../src/resources/conversations/schema.ts';
import { prepareToActivate } from '../../src/resources/designs/prepare.ts';
import { ConversationWithDesign } from '../../src/resources/designs/schema.ts';
import { exposedDesign, requireExposed } from '../../src/resources/designs/stored-design.ts';
import { holdScenariosPassed } from '../../src/resources/scenarios/require.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const activateConversationVersion = defineTool({
  name: 'activate_conversation_version',
  title: 'Activate a conversation version',
  description:
    'Makes a version live, and the one before inactive. Activate an older version to roll back. Refused if a call collects or transfers before it discloses the AI, or if a secret or integration is missing.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions/{n}/activate',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({ conversationId: ref('conversation'), n: Version }),
  output: ConversationWithDesign,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { 422: ['unknown_integration_ref', 'design_invalid'], 501: ['unsupported_step'] },
  mcp: { names: { n: 'version' }, leavesOut: 'design' },
  async handler({ stores }, { conversationId, n: chosen }) {
    const n = await numberOf(stores, conversationId, chosen);
    const version = found(
      await stores.conversationVersions.find(conversationId, n),
      'conversation',
      conversationId,
    );
    if (version.n === null) throw versionNotFound(conversationId, n);
    const { activeVersion, ...conversation } = found(
      await stores.conversations.find(conversationId),
      'conversation',
      conversationId,
    );
    // A version that is active already stays active: the response is that of PATCH.
    if (activeVersion === n && version.design !== null && exposedDesign(version.design) === null)
      return { ...conversation, activeVersion, design: null };
    const design = version.design === null ? null : requireExposed(version.design, conversationId);
    // Going back to an older version must work, whatever it lacks.
    const before =
      n > activeVersion ? await stores.conversationVersions.design(conversationId, activeVersion) : null;
    const replaced = exposedDesign(before) ?? undefined;
    const references = design ? await prepareToActivate(stores, design, replaced) : undefined;
    if (n > activeVersion || !version.wasLive) await holdScenariosPassed(stores, conversationId, n);
    const activated = await stores.conversations.activate(conversationId, n, references);
    return { ...found(activated, 'conversation', conversationId), design };
  },
});
