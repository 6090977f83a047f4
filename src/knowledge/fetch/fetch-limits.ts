import { type PaceLimits, usualPace } from './pace.ts';

/** Times are milliseconds. */
export interface FetchLimits {
  /** For a name's addresses and the connection. */
  readonly connect: number;
  /** From a request's start until the head of its answer is there. */
  readonly headers: number;
  /** For a page with all redirects that lead to it; the wait for a turn does not count. */
  readonly whole: number;
  /** Bytes, unpacked. */
  readonly body: number;
  readonly redirects: number;
  readonly ports: readonly number[];
  readonly pace: PaceLimits;
}

export const usualFetchLimits: FetchLimits = {
  connect: 3_000,
  headers: 5_000,
  whole: 10_000,
  body: 5 * 1024 * 1024,
  redirects: 3,
  ports: [80, 443],
  pace: usualPace,
};
