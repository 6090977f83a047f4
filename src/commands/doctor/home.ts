import fs from 'node:fs';
import path from 'node:path';
import { type Finding, ok, problem, warning } from './finding.ts';

const mebibyte = 1_048_576;
/** A new database takes 40 MiB, and Postgres 16 MiB for each step of its log. */
const [forNew, forMore, little] = [64 * mebibyte, 16 * mebibyte, 512 * mebibyte];

const secretFiles = ['password', 'secret-key', 'credentials.json'];

/** Whether PARLEY_HOME can be used, or made. */
export function homeFolder(home: string): Finding[] {
  const nearest = nearestExisting(home);
  fs.accessSync(nearest, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  if (!fs.statSync(nearest).isDirectory())
    return [problem(`${nearest} is not a folder`, 'set PARLEY_HOME to another one')];
  return [ok(nearest === home ? `${home} can be written` : `${home} is not there yet, and can be made`)];
}

/** Whether the files that hold secrets are closed to others. */
export function secretModes(home: string): Finding[] {
  const open = secretFiles
    .map((name) => path.join(home, name))
    .filter((file) => ((fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  if (!fs.existsSync(home)) return [];
  if (open.length === 0) return [ok('the secrets in it are closed to other users')];
  return [warning(`other users can read ${open.join(', ')}`, `chmod 600 ${open.join(' ')}`)];
}

/** Whether there is room where the database lies, or will lie. */
export function diskSpace(folder: string, isMade: boolean): Finding[] {
  const nearest = nearestExisting(folder);
  const { bavail, bsize } = fs.statfsSync(nearest);
  const free = bavail * bsize;
  const what = `${Math.floor(free / mebibyte)} MiB are free on the disk of ${nearest}`;
  const mend = 'make room, or set PARLEY_HOME to a folder on another disk';
  if (free < (isMade ? forMore : forNew)) return [problem(what, mend)];
  return [free < little ? warning(what, mend) : ok(what)];
}

function nearestExisting(place: string): string {
  return fs.existsSync(place) ? place : nearestExisting(path.dirname(place));
}
