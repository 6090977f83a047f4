/**
 * What a person reads wherever no connection came about: a refused, a silent and a forbidden address read alike, so
 * that nobody learns from it which ports are open behind the wall.
 */
export const unreachable = 'The site could not be reached.';

/** A page was not had. The message is for the person whose source it is; the cause is for the log. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** True: it will not go better another time. */
  readonly final: boolean;

  constructor(message: string, { final, cause }: { readonly final: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.final = final;
  }
}

/** The wall did not let a request out, which is a security event. */
export class Blocked extends FetchFailure {
  /** What of the address is forbidden, for the log. */
  readonly reason: string;

  constructor(reason: string, message = unreachable) {
    super(message, { final: true });
    this.reason = reason;
  }
}
