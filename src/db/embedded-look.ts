import fs from 'node:fs';
import { dataMajor } from './embedded-data.ts';
import { addressOf, leaseHolders } from './embedded-lease.ts';
import { type ServerFiles, serverFiles, serverUser } from './embedded-place.ts';
import { keptPort } from './embedded-port.ts';
import { livePostmaster, type Postmaster, postmasterFile } from './embedded-postmaster.ts';

/** What there is of an embedded Postgres, found without starting or changing anything. */
export interface EmbeddedLook {
  readonly files: ServerFiles;
  /** The major version of Postgres that made the data; undefined where there is none. */
  readonly dataMajor: string | undefined;
  readonly server: Postmaster | undefined;
  /** Whether a server that is gone left its `postmaster.pid` behind. */
  readonly stale: boolean;
  /** The port that the next start takes where it is free. */
  readonly keptPort: number | undefined;
}

/** Whom the server runs as. */
export const databaseUser = (): number | undefined => serverUser.uid ?? process.getuid?.();

/**
 * Looks at the embedded Postgres of `home`, which must exist.
 * @throws where a file or folder cannot be read, as EmbeddedError or with a code of Node.js.
 */
export function lookAtEmbedded(home: string): EmbeddedLook {
  const files = serverFiles(home);
  const server = livePostmaster(files);
  return {
    files,
    dataMajor: dataMajor(files),
    server,
    stale: server === undefined && fs.existsSync(postmasterFile(files)),
    keptPort: keptPort(files),
  };
}

/**
 * The address of the server that runs, and the processes that use it.
 * @throws where it does not let us in.
 */
export async function usersOf({
  files,
  server,
}: EmbeddedLook): Promise<{ url: string; users: number[] } | undefined> {
  const users = await leaseHolders(files);
  if (!server || !users) return undefined;
  return { url: addressOf(server, files), users };
}
