import fs from 'node:fs';
import path from 'node:path';
import { type Finding, ok, problem, warning } from './finding.ts';

const mebibyte = 1_048_576;
/** A new database takes 40 MiB, and each segment of the write-ahead log 16 MiB. */
const [neededForNew, neededForMore, low] = [64 * mebibyte, 16 * mebibyte, 512 * mebibyte];

const secretFiles = ['password', 'secret-key', 'credentials.json'];

/** Checks that PARLEY_HOME can be used or created. */
export function homeFolder(home: string): Finding[] {
  const nearest = nearestExisting(home);
  fs.accessSync(nearest, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  if (!fs.statSync(nearest).isDirectory())
    return [problem(`${nearest} is not a folder`, 'set PARLEY_HOME to a folder')];
  return [ok(nearest === home ? `${home} is writable` : `${home} does not exist yet, and can be created`)];
}

/** Checks that only this user can read the files that hold secrets. */
export function secretModes(home: string): Finding[] {
  const open = secretFiles
    .map((name) => path.join(home, name))
    .filter((file) => ((fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  if (!fs.existsSync(home)) return [];
  if (open.length === 0) return [ok('other users cannot read the secrets in it')];
  return [warning(`other users can read ${open.join(', ')}`, `chmod 600 ${open.join(' ')}`)];
}

/** Checks the free space on the disk of the database. */
export function diskSpace(folder: string, exists: boolean): Finding[] {
  const nearest = nearestExisting(folder);
  const { bavail, bsize } = fs.statfsSync(nearest);
  const free = bavail * bsize;
  const what = `${Math.floor(free / mebibyte)} MiB are free on the disk of ${nearest}`;
  const mend = 'free some space, or set PARLEY_HOME to a folder on another disk';
  if (free < (exists ? neededForMore : neededForNew)) return [problem(what, mend)];
  return [free < low ? warning(what, mend) : ok(what)];
}

function nearestExisting(place: string): string {
  return fs.existsSync(place) ? place : nearestExisting(path.dirname(place));
}
