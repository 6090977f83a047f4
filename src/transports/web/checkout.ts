import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../../..');
const builder = path.join(root, 'scripts/web/build.ts');

/** Everything that decides the bytes of the built files. */
const sources = ['web/**/*.*', 'scripts/web/*', 'package-lock.json'];

/** Milliseconds. A build takes about 3 s on two cores. */
const buildLimit = 120_000;

/**
 * The folder in which the build of the current sources belongs, whether it exists or not. Its name holds a hash of the
 * sources, so that builds of several versions, and several builds of one version, do not disturb each other.
 */
export function builtFolder(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root, exclude: ['web/.built'] }).toSorted())
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return path.join(root, 'web/.built', hash.digest('hex').slice(0, 16));
}

/**
 * Returns the folder of the built files, and builds them first if the sources have changed, in a process of its own.
 * @throws if the build fails, for example because the packages of development are not installed
 */
export async function builtFromSources(): Promise<string> {
  const folder = builtFolder();
  if (!existsSync(folder))
    await promisify(execFile)(process.execPath, [builder, folder], { cwd: root, timeout: buildLimit });
  return folder;
}
