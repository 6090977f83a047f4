import path from 'node:path';
import * as v from 'valibot';
import { readHomeFile, writeHomeFile } from './home-file.ts';

const CredentialsFile = v.object({
  url: v.string(),
  organizationId: v.string(),
  projectId: v.string(),
  keyId: v.string(),
  key: v.string(),
});

/** What a client needs to call this server. */
export type Credentials = Readonly<v.InferOutput<typeof CredentialsFile>>;

export function credentialsFile(home: string): string {
  return path.join(home, 'credentials.json');
}

/**
 * The credentials of the demo project, where there are any.
 * @throws CommandError where the file is there and cannot be read, or holds something else.
 */
export function readCredentials(home: string): Credentials | undefined {
  const remedy = 'delete it and set PARLEY_API_KEY (parley key create makes a key)';
  return readHomeFile(credentialsFile(home), CredentialsFile, remedy);
}

/**
 * Writes the credentials.
 * @throws CommandError where a file or folder stands in the way.
 */
export function writeCredentials(home: string, credentials: Credentials): void {
  writeHomeFile(credentialsFile(home), credentials);
}
