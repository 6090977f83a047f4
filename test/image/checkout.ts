import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The text of stray files, which a checkout may contain, but no image or package. */
export const strayText = 'stray-3f9c1e';
const strays = [
  '.env',
  'bin/.env',
  '.parley/secret-key',
  'dist/old.cjs',
  'node_modules/stray/index.js',
  'notes.txt',
];

/** Runs git in this checkout, whoever owns it. Returns the output. */
export function git(...args: string[]): string {
  const options = { cwd: root, encoding: 'utf8' } as const;
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options).trim();
}

/** Copies all files that git does not ignore, and adds the stray files. Only the owner can read the copy. */
export function copyCheckout(folder: string): void {
  for (const file of git('ls-files', '--cached', '--others', '--exclude-standard').split('\n'))
    cpSync(path.join(root, file), path.join(folder, file));
  for (const stray of strays) {
    mkdirSync(path.dirname(path.join(folder, stray)), { recursive: true });
    writeFileSync(path.join(folder, stray), strayText);
  }
  execFileSync('chmod', ['-R', 'go-rwx', folder]);
}
