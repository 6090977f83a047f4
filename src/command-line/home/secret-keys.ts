import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../platform/errors.ts';
import { makeFolder } from '../../postgres/make-folder.ts';

/** The current secret key, and the one before it, which a restored backup may still need. */
const fileNames = ['secret-key', 'secret-key-previous'] as const;

/** The secret keys in a home, the current one first. Empty before the first start. */
export function storedSecretKeys(home: string): string[] {
  const stored: string[] = [];
  for (const name of fileNames)
    try {
      stored.push(readFileSync(path.join(home, name), 'utf8'));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      break;
    }
  return stored;
}

/**
 * The secret keys of a home for use without PARLEY_SECRET_KEY. Generates one, readable only for this user, if there is
 * none. Processes that start at the same time all return the same key.
 */
export function homeSecretKeys(home: string): [current: string, ...older: string[]] {
  let [current, ...older] = storedSecretKeys(home);
  if (current === undefined) {
    storeSecretKey(home, fileNames[0], randomBytes(32).toString('base64url'));
    [current = '', ...older] = storedSecretKeys(home);
  }
  return [current, ...older];
}

/** Writes the secret keys of another installation to a home that has none, or the same ones. */
export function storeSecretKeys(home: string, keys: readonly string[]): void {
  // The current key comes last, because a home without it counts as having none.
  for (const [index, name] of [...fileNames.entries()].toReversed()) {
    const key = keys[index];
    if (key !== undefined) storeSecretKey(home, name, key);
  }
}

/** Undoes `storeSecretKeys`. */
export function removeSecretKeys(home: string): void {
  for (const name of fileNames) rmSync(path.join(home, name), { force: true });
}

/** Links a complete file into place, so that no other process reads half a key or replaces this one. */
function storeSecretKey(home: string, name: string, key: string): void {
  const file = path.join(home, name);
  makeFolder(home, 0o711);
  const partial = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(partial, key, { flag: 'wx', mode: 0o600 });
    linkSync(partial, file);
  } catch (error) {
    // Another process was faster: its key counts.
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}
