import { readFileSync } from 'node:fs';
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
