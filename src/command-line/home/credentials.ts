import path from 'node:path';
import * as v from 'valibot';
import { readHomeFile, writeHomeFile } from './json-file.ts';

const CredentialsFile = v.object({
  url: v.string(),
  organizationId: v.string(),
  projectId: v.string(),
  keyId: v.string(),
  key: v.string(),
});

/** What a client needs to call this server: those of the demo project. */
export type Credentials = Readonly<v.InferOutput<typeof CredentialsFile>>;

export function credentialsFile(home: string): string {
  return path.join(home, 'credentials.json');
}

/**
 * The stored credentials, or undefined if the file does not exist.
 * @throws CommandError if the file is unreadable or damaged
 */
export function readCredentials(home: string): Credentials | undefined {
  const remedy = 'Delete it and set PARLEY_API_KEY; parley key create makes a key.';
  return readHomeFile(credentialsFile(home), CredentialsFile, remedy);
}

/** @throws CommandError if PARLEY_HOME cannot be written */
export function writeCredentials(home: string, credentials: Credentials): void {
  writeHomeFile(credentialsFile(home), credentials);
}
