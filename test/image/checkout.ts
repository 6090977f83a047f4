import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** What lies about in a checkout and must not get out of it; all hold this text. */
export const strayText = 'stray-3f9c1e';
const strays = [
  '.env',
  'bin/.env',
  '.parley/secret-key',
  'dist/old.cjs',
  'node_modules/stray/index.js',
  'notes.txt',
];

/** Asks git about this checkout, whoever owns it. */
export function git(...args: string[]): string {
  const options = { cwd: root, encoding: 'utf8' } as const;
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options).trim();
}

/** Copies what git knows, as it stands, and puts strays beside it; nobody but its owner may read the copy. */
export function copyCheckout(folder: string): void {
  for (const file of git('ls-files', '--cached', '--others', '--exclude-standard').split('\n'))
    cpSync(path.join(root, file), path.join(folder, file));
  for (const stray of strays) {
    mkdirSync(path.dirname(path.join(folder, stray)), { recursive: true });
    writeFileSync(path.join(folder, stray), strayText);
  }
  execFileSync('chmod', ['-R', 'go-rwx', folder]);
}
