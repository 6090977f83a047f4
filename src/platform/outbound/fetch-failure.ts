import { OutsideFailure } from '../errors.ts';

/**
 * The message for every failed connection. A refused, a silent and a forbidden address read alike, so that nobody
 * learns which ports are open behind the wall.
 */
export const unreachable = 'The site could not be reached.';

export const invalidUrl = 'The address is not a valid URL.';

/** A page could not be fetched. The message is for the owner of the source; the cause is for the log. */
export class FetchFailure extends OutsideFailure {
  override readonly name = 'FetchFailure';
  /** True if another attempt would fail as well. */
  readonly final: boolean;

  constructor(message: string, { final, cause }: { readonly final: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.final = final;
  }
}

/** The wall blocked a request, which is a security event. */
export class Blocked extends FetchFailure {
  /** The forbidden part of the address, for the log. */
  readonly reason: string;

  constructor(reason: string, message = unreachable) {
    super(message, { final: true });
    this.reason = reason;
  }
}
