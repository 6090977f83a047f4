import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * Takes the lock of `file` and returns a function that releases it, or undefined if another process holds it.
 *
 * The kernel releases a file lock when its process ends, so there are no stale locks to detect, and two processes can
 * never take over the same one. Node has file locks only through its SQLite; nothing is ever written to the file.
 */
export function takeFileLock(file: string): (() => void) | undefined {
  // The error of SQLite would not give the reason.
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  try {
    // A journal would fail on a full disk, and the lock with it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
  return () => database.close();
}
