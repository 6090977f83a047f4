import { rmSync } from 'node:fs';
import { ArchiveError } from '../archive/archive-error.ts';
import type { Installation } from '../archive/header.ts';
import type { Config } from '../platform/config/config.ts';
import { requireSecretKeys } from './archive-command.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './home/credentials.ts';
import { homeSecretKeys, removeSecretKeys, storedSecretKeys, storeSecretKeys } from './home/secret-keys.ts';

/** What a backup holds besides rows: the secret keys in use and the credentials. */
export function thisInstallation({ secretKeys, home }: Config): Installation {
  const credentials = readCredentials(home);
  return {
    secretKeys: [...(secretKeys ?? homeSecretKeys(home))],
    credentials: credentials === undefined ? null : JSON.stringify(credentials),
  };
}

/** Writes a backup's secret keys and credentials to PARLEY_HOME. `undo` removes what `write` has written. */
export interface InstallationPlan {
  write(): void;
  undo(): void;
}

/**
 * Plans, before anything is written, how a backup's secret keys and credentials go into this home.
 * @throws ArchiveError if this home has other ones, or if PARLEY_SECRET_KEY does not decrypt the rows
 */
export function planInstallation(
  { secretKeys, home }: Config,
  installation: Installation,
  sealedWith: readonly string[],
): InstallationPlan {
  const steps: { write: () => void; undo: () => void }[] = [];
  if (secretKeys) {
    requireSecretKeys(sealedWith, secretKeys, "Unset PARLEY_SECRET_KEY to use the backup's keys.");
  } else {
    const stored = storedSecretKeys(home);
    if (stored.length > 0 && JSON.stringify(stored) !== JSON.stringify(installation.secretKeys))
      throw new ArchiveError(`${home} has another secret key. Restore into a new PARLEY_HOME.`);
    if (stored.length === 0)
      steps.push({
        write: () => storeSecretKeys(home, installation.secretKeys),
        undo: () => removeSecretKeys(home),
      });
  }
  const { credentials } = installation;
  const existing = readCredentials(home);
  if (existing && JSON.stringify(existing) !== credentials)
    throw new ArchiveError(
      `${credentialsFile(home)} belongs to another database. Restore into a new PARLEY_HOME.`,
    );
  if (credentials !== null && !existing)
    steps.push({
      write: () => writeCredentials(home, JSON.parse(credentials) as Credentials),
      undo: () => rmSync(credentialsFile(home), { force: true }),
    });
  const undoSteps: (() => void)[] = [];
  return {
    write() {
      for (const step of steps) {
        undoSteps.push(step.undo);
        step.write();
      }
    },
    undo() {
      for (const undo of undoSteps) undo();
    },
  };
}
