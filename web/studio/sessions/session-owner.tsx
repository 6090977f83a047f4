import { AnsweredBy } from '../numbers/answered-by.tsx';

/** The conversation or flow that has answered in a session. */
export function SessionOwner({
  session: { conversationId, flowId },
}: {
  readonly session: { readonly conversationId: string | null; readonly flowId?: string };
}) {
  if (conversationId !== null) return <AnsweredBy kind="conversation" id={conversationId} />;
  return flowId === undefined ? 'a flow' : <AnsweredBy kind="flow" id={flowId} />;
}
