import { type PaceLimits, usualPace } from './pace.ts';

/** Times are in milliseconds. */
export interface FetchLimits {
  /** For DNS and the connection together. */
  readonly connect: number;
  /** From the start of a request to the head of its response. */
  readonly headers: number;
  /** For a page with all its redirects, without the waits for a turn. */
  readonly whole: number;
  /** Bytes after decompression. */
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
