import { execFileSync, type StdioOptions } from 'node:child_process';
import type { Build } from '../operation/context.ts';
import { packageRoot } from '../platform/config/config.ts';
import { builtCommit } from './built-commit.ts';
import { readVersion } from './package-version.ts';

/**
 * The build that runs: the version of package.json, and the first known of the configured commit, the bundle's,
 * the checkout's, or `unknown`.
 */
export function readBuild(gitSha: string | undefined): Build {
  const commit = gitSha ?? builtCommit ?? checkedOutCommit(packageRoot) ?? 'unknown';
  return Object.freeze({ version: readVersion(), gitSha: commit });
}

/** The commit of a checkout. Undefined without git or a checkout, as in an image. */
export function checkedOutCommit(folder: string): string | undefined {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio }).trim();
  } catch {
    return undefined;
  }
}
