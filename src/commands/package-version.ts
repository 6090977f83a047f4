import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Parley's version: package.json's. */
export function readVersion(packageRoot: string): string {
  const { version } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
