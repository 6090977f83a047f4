import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../platform/config/config.ts';

/** The version in package.json. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
