import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-growth-'));
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

// One part of nine, which takes a fifth of their time. `npm run test:long` measures them all.
beforeAll(async () => {
  const args = [path.join(root, 'bench/growth/run.ts'), '--small', '--only', 'flows', '--folder', folder];
  await promisify(execFile)(process.execPath, args);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('the report shows the index that a page of flows is read from', () => {
  const [, section = ''] = read('growth.md').split('## Flows of one project');
  const pages = section.split('\n').filter((line) => line.startsWith('| first page of 100 flows '));
  expect(pages).toHaveLength(3);
  for (const page of pages) expect(page).toMatch(/\| \d+ \| `flows_pkey` \|$/);
});

test('the report has a line for every call and size', () => {
  const lines = read('growth.md').match(/^\| .* \|$/gm) ?? [];
  const [calls, sizes, headings] = [4, 3, 1];
  expect(lines).toHaveLength(calls * sizes + headings);
});

test('the picture is XML with a line for each curve', () => {
  const lines: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'path' && !String(attributes['class']).includes('whisker'))
      lines.push(String(attributes['d']));
  });
  parser.write(read('growth.svg')).close();
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatch(/^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+)+$/);
});
