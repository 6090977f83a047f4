/** The embedded Postgres cannot be used. The message is one line with a remedy, for the person at this machine. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}

const noAccess = (place: string) =>
  `${place} is closed to uid ${process.getuid?.()}: give it access, or set PARLEY_HOME to a folder of its own`;
export const diskFull = (place: string) =>
  `the disk of ${place} is full: make room, or set PARLEY_HOME to a folder on another one`;
const noFolder = (place: string) =>
  `${place} cannot be used as a file or folder: set PARLEY_HOME to another one`;

/** Messages for the codes of Node.js. */
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

/** Explains an error of a file or folder and its remedy in one line. Undefined for any other error. */
export function fileTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  // A folder of the kernel, such as /proc, takes no others.
  if (error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir')
    return `${place} cannot be made: set PARLEY_HOME to a folder that can be written`;
  // The error of a write to an open file has no path.
  return remedies[String(error.code)]?.(place ?? 'PARLEY_HOME');
}
