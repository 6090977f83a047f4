import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const patches = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.patch'));

test('every mutant patch applies to the code', () => {
  const outdated = patches.filter((name) => {
    try {
      execFileSync('git', ['apply', '--check', path.join(import.meta.dirname, name)], {
        cwd: root,
        stdio: 'ignore',
      });
      return false;
    } catch {
      return true;
    }
  });
  const cure =
    'The lines around the change have moved: make it again, and save git diff below the header of the patch.';
  expect(outdated, cure).toEqual([]);
});
