/** An archive cannot be written or read; the message is one line for the person, and does not name the file. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
