import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { EmbeddedError } from './embedded-error.ts';

/** Where the files of one home and of its server lie. */
export interface ServerFiles {
  readonly home: string;
  readonly password: string;
  readonly startLock: string;
  readonly data: string;
  readonly log: string;
  readonly port: string;
}

/** Whom the server runs as, for `spawn`: Postgres refuses root, so root lends its server to nobody. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Root's folder for what the server's user cannot reach elsewhere; never a temporary one, which is swept. */
export const systemFolder = '/var/lib/parley';

/**
 * Names the files of `home`, which must exist. Those of the server lie in the home itself or, where the server's
 * user cannot walk there, below `systemFolder`.
 * @throws EmbeddedError where a home that holds data was closed to the server's user later.
 */
export function serverFiles(home: string): ServerFiles {
  const real = fs.realpathSync(home);
  if (serverUser.uid === undefined) return filesOf(real, real);
  const name = createHash('sha256').update(real).digest('hex').slice(0, 12);
  const away = filesOf(real, path.join(systemFolder, name));
  // Data that exists decides, or a later chmod of the home would bring up a second, empty database.
  if (fs.existsSync(away.data)) return away;
  const files = filesOf(real, real);
  if (reachable(real)) return files;
  if (!fs.existsSync(files.data)) return away;
  throw new EmbeddedError(
    `the database in ${files.data} is closed to uid ${serverUser.uid}, which runs Postgres for root: ` +
      'open the folders above it with chmod o+x',
  );
}

/** True where everyone may walk down to this place and, where it is a program, run it. */
export function reachable(place: string): boolean {
  for (let at = fs.realpathSync(place); ; at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** Makes this folder and those missing above it, open to everyone whatever the umask says. */
export function openFolder(folder: string): void {
  const first = fs.mkdirSync(folder, { recursive: true });
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
