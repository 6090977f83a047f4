import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generated/files.ts';

const root = path.resolve(import.meta.dirname, '..');

test.for(Object.entries(await generatedFiles()))('%s is what npm run generate writes', ([file, content]) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  // The format check covers the layout of JSON.
  expect(typeof content === 'string' ? text : JSON.parse(text)).toStrictEqual(
    typeof content === 'string' ? content : JSON.parse(JSON.stringify(content)),
  );
});

const locks = globSync(['package-lock.json', '{bench,test}/**/package-lock.json'], {
  cwd: root,
  exclude: ['**/node_modules'],
});

test.for(locks)('%s is as complete as npm run lock makes it', (file) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-lock-'));
  try {
    const [lock, completed] = [path.join(root, file), path.join(folder, 'package-lock.json')];
    copyFileSync(lock, completed);
    execFileSync(process.execPath, [path.join(root, 'scripts/complete-lock.mjs'), completed]);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(JSON.parse(readFileSync(completed, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
