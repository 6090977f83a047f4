import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { codeOf } from '../errors.ts';
import { CommandError } from './command.ts';
import { troubleOf } from './trouble.ts';

/** What a client needs to call this server. */
export interface Credentials {
  readonly url: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
}

const CredentialsFile = v.object({
  url: v.string(),
  organizationId: v.string(),
  projectId: v.string(),
  keyId: v.string(),
  key: v.string(),
});

export function credentialsFile(home: string): string {
  return path.join(home, 'credentials.json');
}

/**
 * The credentials of the demo project, where there are any.
 * @throws CommandError where the file is there and cannot be read, or holds something else.
 */
export function readCredentials(home: string): Credentials | undefined {
  const file = credentialsFile(home);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw troubleOf(error);
  }
  const damaged = `${file} is damaged: delete it and set PARLEY_API_KEY (parley key create makes a key)`;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new CommandError(damaged);
  }
  const parsed = v.safeParse(CredentialsFile, content);
  if (!parsed.success) throw new CommandError(damaged);
  return parsed.output;
}

/**
 * Writes the credentials, for this user's eyes only; a reader never sees half a file.
 * @throws CommandError where a file or folder stands in the way.
 */
export function writeCredentials(home: string, credentials: Credentials): void {
  const fresh = `${credentialsFile(home)}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(home, { recursive: true, mode: 0o711 });
    writeFileSync(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(fresh, credentialsFile(home));
  } catch (error) {
    rmSync(fresh, { force: true });
    throw troubleOf(error);
  }
}
