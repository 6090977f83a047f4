import { execFileSync, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Build } from '../tool/context.ts';

/** Which build runs: package.json's version; the build's commit, else the checkout's, else `unknown`. */
export function readBuild(packageRoot: string, gitSha: string | undefined): Build {
  const { version } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return Object.freeze({ version, gitSha: gitSha ?? commitOf(packageRoot) ?? 'unknown' });
}

function commitOf(folder: string): string | undefined {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio }).trim();
  } catch {
    // Neither git nor a checkout has to be there: an image has none.
    return undefined;
  }
}
