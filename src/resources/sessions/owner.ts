import type { DesignOwner } from '../record/design-owner.ts';

/** Whose design a session is played with. */
export function ownerOfDesign({
  conversationId,
  flowId,
}: {
  readonly conversationId: string | null;
  readonly flowId?: string | null;
}): DesignOwner {
  if (typeof flowId === 'string') return { flowId };
  if (conversationId !== null) return { conversationId };
  throw new TypeError('a session has neither a conversation nor a flow');
}
