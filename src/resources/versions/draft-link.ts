import type { JsonObject } from '../../operation/result.ts';

/** The page of the Studio that shows what changed in a draft of a conversation, where a person makes it live. */
export function draftPage(_made: JsonObject, { conversationId, activate }: JsonObject): string | undefined {
  return activate === true ? undefined : `/conversations/${String(conversationId)}/changes`;
}

/** The same for a draft of a flow. */
export function flowDraftPage(_made: JsonObject, { flowId, activate }: JsonObject): string | undefined {
  return activate === true ? undefined : `/flows/${String(flowId)}/changes`;
}

/** The same for what is restored, of a conversation rather than of its flow. */
export function restoredPage(made: JsonObject, input: JsonObject): string | undefined {
  return 'conversation' in made ? draftPage(made, input) : flowDraftPage(made, input);
}
