import { randomUUID } from 'node:crypto';
import type { Caller, ClientAddress } from '../../operation/context.ts';
import type { ErrorEnvelope } from '../../platform/errors.ts';

/** The state of one request, for its response and its log line. */
export interface RequestState {
  /** Generated here, never taken from the client. */
  readonly requestId: string;
  /** The id of the request's trace (W3C Trace Context), if it is traced. */
  readonly traceId: string | undefined;
  /** Where the request comes from; undefined if it could not be read as one. */
  readonly client: ClientAddress | undefined;
  envelope: ErrorEnvelope;
  /** The pattern of the route, not the path: `/v1/flows/{flowId}`. */
  route?: string;
  /** Name of the operation. */
  tool?: string;
  caller?: Caller;
  /** Returns the `WWW-Authenticate` of a 401; `Bearer` by default. */
  challenge?: () => string;
}

export function newRequestState(traceId?: string, client?: ClientAddress): RequestState {
  return { requestId: randomUUID(), traceId, client, envelope: 'error' };
}
