import { rmSync } from 'node:fs';
import { ArchiveError } from '../archive/archive-error.ts';
import type { Installation } from '../archive/header.ts';
import type { Config } from '../config.ts';
import { requireSecretKeys } from './archiving.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './credentials.ts';
import { homeSecrets, removeSecrets, storedSecrets, storeSecrets } from './home-secrets.ts';

/** What makes the rows of this installation usable: the secret keys in use and the credentials. */
export function thisInstallation({ secretKeys, home }: Config): Installation {
  const credentials = readCredentials(home);
  return {
    secretKeys: [...(secretKeys ?? homeSecrets(home))],
    credentials: credentials === undefined ? null : JSON.stringify(credentials),
  };
}

/** Puts a backup's secrets into PARLEY_HOME, and takes them out again. */
export interface InstallationPlan {
  write(): void;
  undo(): void;
}

/**
 * Looks, before anything is written, how a backup's secrets go into this home.
 * @throws ArchiveError where this installation has others, and where its own do not open the rows
 */
export function planInstallation(
  { secretKeys, home }: Config,
  installation: Installation,
  sealedWith: readonly string[],
): InstallationPlan {
  const steps: { write: () => void; undo: () => void }[] = [];
  if (secretKeys) {
    requireSecretKeys(
      sealedWith,
      secretKeys,
      "without PARLEY_SECRET_KEY the backup's own is written to PARLEY_HOME",
    );
  } else {
    const stored = storedSecrets(home);
    if (stored.length > 0 && JSON.stringify(stored) !== JSON.stringify(installation.secretKeys))
      throw new ArchiveError(`${home} has another secret key: restore into a new PARLEY_HOME`);
    if (stored.length === 0)
      steps.push({
        write: () => storeSecrets(home, installation.secretKeys),
        undo: () => removeSecrets(home),
      });
  }
  const { credentials } = installation;
  const known = readCredentials(home);
  if (known && JSON.stringify(known) !== credentials)
    throw new ArchiveError(`${credentialsFile(home)} is of another database: restore into a new PARLEY_HOME`);
  if (credentials !== null && !known)
    steps.push({
      write: () => writeCredentials(home, JSON.parse(credentials) as Credentials),
      undo: () => rmSync(credentialsFile(home), { force: true }),
    });
  const done: (() => void)[] = [];
  return {
    write() {
      for (const step of steps) {
        done.push(step.undo);
        step.write();
      }
    },
    undo() {
      for (const undo of done) undo();
    },
  };
}
