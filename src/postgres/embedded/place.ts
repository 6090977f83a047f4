import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { EmbeddedError } from './error.ts';
import { isRoot } from './user.ts';

/** The files of one home and of its server. */
export interface ServerFiles {
  readonly home: string;
  readonly password: string;
  readonly startLock: string;
  readonly data: string;
  readonly log: string;
  readonly port: string;
}

/** Root's folder for files that the server's user cannot reach elsewhere. Not a temporary one, which is cleaned up. */
export const systemFolder = '/var/lib/parley';

/**
 * Names the files of `home`, which must exist. The server's files are in the home, or below `systemFolder` if the server's
 * user cannot enter the home.
 * @throws EmbeddedError if the home has data but the server's user can no longer enter it
 */
export function serverFiles(home: string): ServerFiles {
  const real = fs.realpathSync(home);
  if (!isRoot) return filesOf(real, real);
  const name = createHash('sha256').update(real).digest('hex').slice(0, 12);
  const away = filesOf(real, path.join(systemFolder, name));
  // Existing data decides; otherwise a later chmod of the home would create a second, empty database.
  if (fs.existsSync(away.data)) return away;
  const files = filesOf(real, real);
  if (reachable(real)) return files;
  if (!fs.existsSync(files.data)) return away;
  throw new EmbeddedError(
    `the database in ${files.data} is closed to the user who runs Postgres for root: ` +
      'open the folders above it with chmod o+x',
  );
}

/** True if every user may enter this folder, or run this program. */
export function reachable(place: string): boolean {
  for (let at = fs.realpathSync(place); ; at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** Creates this folder and its missing parents, open to every user, whatever the umask is. */
export function openFolder(folder: string): void {
  const first = makeFolder(folder);
  if (first === undefined) return;
  for (let at = folder; ; at = path.dirname(at)) {
    fs.chmodSync(at, 0o755);
    if (at === first) return;
  }
}

function filesOf(home: string, place: string): ServerFiles {
  return {
    home,
    password: path.join(home, 'password'),
    startLock: path.join(home, 'start.lock'),
    data: path.join(place, 'postgres'),
    log: path.join(place, 'server.log'),
    port: path.join(place, 'port'),
  };
}
