import { execFileSync, type StdioOptions } from 'node:child_process';
import type { Build } from '../tool/context.ts';
import { readVersion } from './package-version.ts';
import { builtFrom } from './revision.ts';

/** Which build runs: package.json's version; the commit that is named, else the build's, else the checkout's, else `unknown`. */
export function readBuild(packageRoot: string, gitSha: string | undefined): Build {
  const commit = gitSha ?? builtFrom ?? commitOf(packageRoot) ?? 'unknown';
  return Object.freeze({ version: readVersion(packageRoot), gitSha: commit });
}

/** The commit of a checkout. */
export function commitOf(folder: string): string | undefined {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio }).trim();
  } catch {
    // Neither git nor a checkout has to be there: an image has none.
    return undefined;
  }
}
