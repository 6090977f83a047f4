import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { EmbeddedError } from './error.ts';

/** A user and a group, for `spawn` and `chown`. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses root, so another user runs it for root. */
export const isRoot = process.getuid?.() === 0;

/** The account of root's servers. It runs nothing else: every process of a user can read the data of that user. */
const account = 'parley-postgres';

const creation = [
  '--system',
  '--user-group',
  '--no-create-home',
  '--home-dir=/nonexistent',
  '--shell=/usr/sbin/nologin',
  account,
];

/**
 * The user who runs the server of this data: the owner of existing data, else root's account, which is created if it is
 * missing. Undefined: the user of this process.
 * @throws EmbeddedError if the account cannot be created
 */
export function serverUser(data: string): ServerUser | undefined {
  if (!isRoot) return undefined;
  return ownerOf(data) ?? findAccount() ?? createAccount();
}

/** Like `serverUser`, but changes nothing: undefined if the account is missing. */
export function knownServerUid(data: string | undefined): number | undefined {
  if (!isRoot) return process.getuid?.();
  return ((data === undefined ? undefined : ownerOf(data)) ?? findAccount())?.uid;
}

function ownerOf(data: string): ServerUser | undefined {
  const { uid, gid } = fs.statSync(data, { throwIfNoEntry: false }) ?? {};
  // Data of root would make root the user, which Postgres refuses.
  return uid && gid !== undefined ? { uid, gid } : undefined;
}

function findAccount(): ServerUser | undefined {
  for (const line of fs.readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === account) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function createAccount(): ServerUser {
  let cause: unknown;
  try {
    execFileSync('useradd', creation, { stdio: 'ignore' });
  } catch (error) {
    // Another process may have created it at the same time.
    cause = error;
  }
  const created = findAccount();
  if (created) return created;
  throw new EmbeddedError(
    `Postgres refuses to run as root, and its account ${account} cannot be created: ` +
      `run "useradd ${creation.join(' ')}", run Parley as another user, or set DATABASE_URL`,
    { cause },
  );
}
