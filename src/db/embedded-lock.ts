import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * Takes the lock in `file` and answers with what gives it back, or with undefined while another process has it.
 *
 * The kernel drops a file lock together with its process, so a lock whose holder was killed is simply free: there
 * is no stale lock to recognise and no moment at which two processes could both take one over. Node offers file
 * locks only through its SQLite; nothing is ever written to the file.
 */
export function takeFileLock(file: string): (() => void) | undefined {
  // SQLite would only say that it cannot open it.
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  try {
    // Its journal on a disk that is full would fail, and the lock with it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
  return () => database.close();
}
