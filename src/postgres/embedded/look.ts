import fs from 'node:fs';
import { dataMajor } from './data.ts';
import { addressOf, leaseHolders } from './lease.ts';
import { type ServerFiles, serverFiles } from './place.ts';
import { keptPort } from './port.ts';
import { livePostmaster, type Postmaster, postmasterFile } from './postmaster.ts';

/** The state of an embedded Postgres, read without starting or changing anything. */
export interface EmbeddedLook {
  readonly files: ServerFiles;
  /** The major version of Postgres that created the data. Undefined if there is no data. */
  readonly dataMajor: string | undefined;
  readonly server: Postmaster | undefined;
  /** True if a killed server left its `postmaster.pid` behind. */
  readonly stale: boolean;
  /** The port that the next start takes if it is free. */
  readonly keptPort: number | undefined;
}

/**
 * Reads the state of the embedded Postgres of `home`, which must exist.
 * @throws EmbeddedError, or an error of Node.js, if a file or folder cannot be read
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
 * The URL of the running server, and the processes that use it.
 * @throws if it rejects the connection
 */
export async function usersOf({
  files,
  server,
}: EmbeddedLook): Promise<{ url: string; users: number[] } | undefined> {
  const users = await leaseHolders(files);
  if (!server || !users) return undefined;
  return { url: addressOf(server, files), users };
}

/** The URL of the running server of `home`. Undefined if none runs. It may have begun to stop. */
export function runningAddress(home: string): string | undefined {
  const files = serverFiles(home);
  const server = livePostmaster(files);
  return server && addressOf(server, files);
}
