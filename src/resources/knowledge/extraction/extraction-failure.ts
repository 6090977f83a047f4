/**
 * A file cannot be extracted. The message is one line for the source's `error`. The failure is final: the same bytes
 * would fail again.
 */
export class ExtractionFailure extends Error {
  override readonly name = 'ExtractionFailure';
}

/** The `error` of a source that was read and has nothing to find. */
export const noText = 'The source has no text.';
