import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprints } from './record.ts';

const files = {
  'patches/a.patch': 'a',
  'src/changed.ts': 'export const changed = 1;',
  'src/other.ts': 'export const other = 1;',
  'test/a.test.ts': "import { helper } from './helpers/helper.ts';\nimport { other } from '../src/other.ts';",
  'test/helpers/helper.ts': "export { deep } from './deep.ts';",
  'test/helpers/deep.ts': "const lazy = await import('./lazy.ts');",
  'test/helpers/lazy.ts': '',
};
const subject = { patch: 'a.patch', changes: ['src/changed.ts'], file: 'test/a.test.ts' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-record-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The fingerprint of the mutant if one file has another text. */
function withChange(changed?: string): string {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, file === changed ? `${text}\n` : text);
  }
  return fingerprints(folder, 'patches')(subject);
}

test('a mutant is tried again after a change of its patch, its source, its test, or what the test imports from test', () => {
  const before = withChange();
  const notices = Object.keys(files).filter((file) => withChange(file) !== before);
  expect(notices).toEqual(Object.keys(files).filter((file) => file !== 'src/other.ts'));
});
