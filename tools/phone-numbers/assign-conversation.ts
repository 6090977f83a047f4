import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import {
  assign,
  disabledWarnings,
  reassignmentInWords,
} from '../../src/resources/phone-numbers/assigning.ts';
import { NumberHandler, PhoneNumber, specified } from '../../src/resources/phone-numbers/schema.ts';
import type { Handler } from '../../src/resources/versions/handler.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const assignConversation = defineTool({
  name: 'assign_conversation',
  title: 'Let a conversation answer a number',
  description:
    'Makes the active version of a conversation answer a phone number, and shows which handler it replaced. Null removes the conversation.',
  rest: {
    method: 'PATCH',
    path: '/v1/numbers/{id}',
    from: { phoneNumberId: 'path:id' },
    omits: ['warnings'],
  },
  input: v.strictObject({
    phoneNumberId: ref('phoneNumber'),
    conversationId: v.optional(
      v.pipe(
        v.nullable(ref('conversation')),
        v.description('Conversation that answers from now on, or null.'),
      ),
    ),
  }),
  output: v.strictObject({
    ...PhoneNumber.entries,
    conversationId: v.nullable(Cuid),
    handler: NumberHandler,
    replaced: NumberHandler,
    warnings: Warnings,
  }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  mcp: {
    keeps: ['handler', 'replaced'],
    required: ['conversationId'],
    warn: disabledWarnings,
  },
  consequences: ({ stores }, { phoneNumberId, conversationId }) =>
    reassignmentInWords(stores, phoneNumberId, 'conversation', conversationId),
  async handler({ stores }, { phoneNumberId, conversationId }) {
    const { number, replaced } =
      conversationId === undefined
        ? {
            number: found(await stores.phoneNumbers.find(phoneNumberId), 'phoneNumber', phoneNumberId),
            replaced: null,
          }
        : await assign(stores, phoneNumberId, 'conversation', conversationId);
    const { handler } = number;
    const assigned = conversationId ? ({ kind: 'conversation', id: conversationId } as const) : null;
    const warnings = await warningsOfLive(stores, [assigned]);
    return { ...specified(number), conversationId: idOf(handler), handler, replaced, ...warnings };
  },
});

function idOf(handler: Handler | null): string | null {
  return handler?.kind === 'conversation' ? handler.id : null;
}
