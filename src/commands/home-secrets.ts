import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../errors.ts';

/** In a home: the secret key that seals, and the one before it, which a restored backup may still need. */
const names = ['secret-key', 'secret-key-previous'] as const;

/** The secret keys that are in this home, the current one first. */
export function storedSecrets(home: string): string[] {
  const stored: string[] = [];
  for (const name of names)
    try {
      stored.push(readFileSync(path.join(home, name), 'utf8'));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      break;
    }
  return stored;
}

/**
 * The secret keys of this home, for use without PARLEY_SECRET_KEY: made once, readable for this user only.
 * Processes that come at the same time all find the same one, and find it whole.
 */
export function homeSecrets(home: string): [current: string, ...older: string[]] {
  let [current, ...older] = storedSecrets(home);
  if (current === undefined) {
    storeSecret(home, names[0], randomBytes(32).toString('base64url'));
    [current = '', ...older] = storedSecrets(home);
  }
  return [current, ...older];
}

/** Puts the secret keys of another installation into a home that has none, or the same. */
export function storeSecrets(home: string, secrets: readonly string[]): void {
  // The current one comes last: without it the home has none.
  for (const [index, name] of [...names.entries()].toReversed()) {
    const secret = secrets[index];
    if (secret !== undefined) storeSecret(home, name, secret);
  }
}

/** Takes out of a home what `storeSecrets` put there. */
export function removeSecrets(home: string): void {
  for (const name of names) rmSync(path.join(home, name), { force: true });
}

function storeSecret(home: string, name: string, secret: string): void {
  const file = path.join(home, name);
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(fresh, secret, { flag: 'wx', mode: 0o600 });
    linkSync(fresh, file);
  } catch (error) {
    // Another process was faster, and its secret stands.
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}
