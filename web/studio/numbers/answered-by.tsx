import { useOperation } from '../../api/use-operation.ts';
import { RecordLink } from '../rejection/record-link.tsx';

/** The flow or conversation that answers. Until its name is read, and if it cannot be, its kind stands there. */
export function AnsweredBy({ kind, id }: { kind: 'flow' | 'conversation'; id: string }) {
  return kind === 'flow' ? <FlowLink id={id} /> : <ConversationLink id={id} />;
}

/** Leads to a conversation, by its name. */
export function ConversationLink({ id }: { id: string }) {
  const conversation = useOperation('get_conversation', { id, details: false });
  return <RecordLink id={id} name={conversation.data?.name ?? 'a conversation'} />;
}

function FlowLink({ id }: { id: string }) {
  const flow = useOperation('get_flow', { flowId: id });
  return <RecordLink id={id} name={flow.data?.name ?? 'a flow'} />;
}
