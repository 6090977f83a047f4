import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { otherFiles } from '../scripts/generated/files.ts';
import { registryFile, registryOf } from '../scripts/generated/registry.ts';

const root = path.resolve(import.meta.dirname, '..');

const files = { 'tools/index.ts': await registryFile(), ...(await otherFiles()) };

test.for(Object.entries(files))('%s is what npm run generate writes', ([file, content]) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  // The format check covers the layout of JSON.
  expect(
    typeof content === 'string' ? text : JSON.parse(text),
    'to bring it up to date: npm run generate',
  ).toStrictEqual(typeof content === 'string' ? content : JSON.parse(JSON.stringify(content)));
});

test('the registry keeps its order, adds what is new behind the others, and drops what has gone', () => {
  const present = `
    export const toolsets = {
      voices: [listVoices, cloneVoice, deleteVoice],
      usage: [getUsage],
    }`;
  const registry = registryOf(
    [
      { folder: 'archive', file: 'read-archive.ts', name: 'readArchive' },
      { folder: 'usage', file: 'get-usage.ts', name: 'getUsage' },
      { folder: 'voices', file: 'add-voice.ts', name: 'addVoice' },
      { folder: 'voices', file: 'clone-voice.ts', name: 'cloneVoice' },
      { folder: 'voices', file: 'list-voices.ts', name: 'listVoices' },
    ],
    present,
  );
  expect(registry.slice(registry.indexOf('export'))).toBe(
    `export const toolsets = {
  voices: [listVoices, cloneVoice, addVoice],
  usage: [getUsage],
  archive: [readArchive],
} satisfies Toolsets;
`,
  );
  expect(registry).toContain("import { addVoice } from './voices/add-voice.ts';");
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
