/** An archive cannot be written or read. The message completes "Cannot import FILE: …", in one line. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
