import type { UseQueryResult } from '@tanstack/react-query';
import type { Design } from '../../api/operations.ts';
import { useOperation } from '../../api/use-operation.ts';

/** The design that a version of a flow becomes. */
export interface FlowDesign {
  /** Null if nothing in the flow says what happens in a call. */
  readonly design: Design | null;
  readonly sources: Readonly<Record<string, string>>;
  readonly meaningless: readonly { readonly path: string; readonly message: string }[];
}

/** Reads the design that a version of a flow becomes. Without an outline or steps, the response is always of this form. */
export function useFlowDesign(flowId: string, version: number): UseQueryResult<FlowDesign> {
  return useOperation('read_flow_design', { flowId, version }) as UseQueryResult<FlowDesign>;
}
