/**
 * Says in one line, fit for a source's `error`, why nothing can be extracted from a file. It is final: the same bytes
 * would fail again.
 */
export class ExtractionFailure extends Error {
  override readonly name = 'ExtractionFailure';
}
