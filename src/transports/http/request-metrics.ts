/** The status in logs and metrics of a request whose client left before the response was sent. */
export const clientLeft = 499;

/** A call of an operation that has ended. */
export interface EndedCall {
  /** The name of the operation; undefined if the request called none. Never taken from the request itself. */
  readonly operation: string | undefined;
  readonly transport: 'rest' | 'mcp';
  /** An HTTP status, or `clientLeft`. */
  readonly status: number;
  /** `performance.now()` when it began. */
  readonly began: number;
}

/** Counts requests, for an operator's charts. */
export interface RequestMetrics {
  requestBegins(): void;
  requestEnds(): void;
  callEnds(call: EndedCall): void;
}
