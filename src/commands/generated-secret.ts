import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../errors.ts';

/**
 * The secret key of this home, for use without PARLEY_SECRET_KEY: made once, readable for this user only.
 * Processes that come at the same time all find the same one, and find it whole.
 */
export function generatedSecret(home: string): string {
  const file = path.join(home, 'secret-key');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(fresh, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
    linkSync(fresh, file);
  } catch (error) {
    // Another process was faster, and its secret stands.
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, 'utf8');
}
