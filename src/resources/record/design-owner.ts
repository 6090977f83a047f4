import type { InputProblem } from '../../operation/define.ts';

/** Whose design a call is about, as its inputs name it: a conversation, or a flow, which Parley compiles to a design. */
export type DesignOwner = { readonly conversationId: string } | { readonly flowId: string };

/** Inputs of which exactly one names the owner. */
interface OwnerInput {
  readonly conversationId?: string | undefined;
  readonly flowId?: string | undefined;
}

/** The problem of a call that does not name one owner. */
export function ownerProblems({ conversationId, flowId }: OwnerInput): InputProblem[] {
  if (conversationId !== undefined && flowId !== undefined)
    return [{ path: ['flowId'], message: 'Cannot be combined with conversationId.' }];
  return conversationId === undefined && flowId === undefined
    ? [{ path: ['conversationId'], message: 'One of conversationId, flowId is required.' }]
    : [];
}

/** Problems of inputs that make sense for conversations only, if the call is about a flow. */
export function conversationOnly(
  { flowId }: OwnerInput,
  inputs: Readonly<Record<string, unknown>>,
): InputProblem[] {
  if (flowId === undefined) return [];
  return Object.entries(inputs)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ path: [name], message: 'Can be combined with conversationId only.' }));
}

/** What a simulated design belongs to: nothing but the project if it is new. */
export type DesignHome = DesignOwner | { readonly projectId: string };

/** The owner that {@link ownerProblems} has passed. */
export function ownerIn({ conversationId, flowId }: OwnerInput): DesignOwner {
  if (flowId !== undefined) return { flowId };
  if (conversationId !== undefined) return { conversationId };
  throw new TypeError('the call names no owner of a design');
}
