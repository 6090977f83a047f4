import { firstIdAt, type IdKind } from '../platform/id.ts';

/**
 * Milliseconds by which the clock that made an id may differ from that of the database, which says when the record was
 * made. With these bounds, the indexes by id also serve ranges of time.
 */
const clockDifference = 3_600_000;

/** A lower bound, included, of the ids of records that were made from a moment on, in milliseconds since 1970. */
export function firstIdFrom(kind: IdKind, from: number): string {
  return firstIdAt(kind, from - clockDifference);
}

/** An upper bound, not included, of the ids of records that were made before a moment, in milliseconds since 1970. */
export function lastIdTo(kind: IdKind, to: number): string {
  return firstIdAt(kind, to + clockDifference);
}
