/** The embedded Postgres cannot be used; the message is one line for the person in front of it. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}

const noAccess = (place: string) =>
  `${place} is closed to uid ${process.getuid?.()}: give it access, or set PARLEY_HOME to a folder of its own`;
export const diskFull = (place: string) =>
  `the disk of ${place} is full: make room, or set PARLEY_HOME to a folder on another one`;
const noFolder = (place: string) =>
  `${place} cannot be used as a file or folder: set PARLEY_HOME to another one`;

/** What the codes of Node.js mean for whoever chose the folder. */
const remedies: Readonly<Record<string, (place: string) => string>> = {
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: (place) => `${place} is read-only: set PARLEY_HOME to a folder that can be written`,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  ENOTDIR: noFolder,
  EISDIR: noFolder,
  ELOOP: noFolder,
  ENAMETOOLONG: noFolder,
};

/** What stands in the way of a file or folder and how to mend it, in one line; undefined for any other error. */
export function fileTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  // So Node.js words a read-only disk where it makes folders above folders.
  if (error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir')
    return `${place} cannot be made: set PARLEY_HOME to a folder that can be written`;
  // A write to an open file names no path.
  return remedies[String(error.code)]?.(place ?? 'PARLEY_HOME');
}
