import { randomUUID } from 'node:crypto';
import type { ErrorEnvelope } from '../errors.ts';
import type { Caller } from '../tool/context.ts';

/** What a request carries along its way, for its answer and its line in the log. */
export interface RequestState {
  /** Ours, never the client's. */
  readonly requestId: string;
  envelope: ErrorEnvelope;
  /** The pattern of the route, not the path: `/v1/flows/{flowId}`. */
  route?: string;
  /** The operation that was run. */
  tool?: string;
  caller?: Caller;
}

export function newRequestState(): RequestState {
  return { requestId: randomUUID(), envelope: 'error' };
}
