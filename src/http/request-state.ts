import { randomUUID } from 'node:crypto';
import type { ErrorEnvelope } from '../errors.ts';
import type { Caller } from '../tool/context.ts';

/** The state of one request, for its response and its log line. */
export interface RequestState {
  /** Generated here, never taken from the client. */
  readonly requestId: string;
  envelope: ErrorEnvelope;
  /** The pattern of the route, not the path: `/v1/flows/{flowId}`. */
  route?: string;
  /** Name of the operation. */
  tool?: string;
  caller?: Caller;
}

export function newRequestState(): RequestState {
  return { requestId: randomUUID(), envelope: 'error' };
}
