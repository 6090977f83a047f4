/**
 * Writes every generated file: the OpenAPI document, the list of MCP tools, the tables of the docs, and the configuration of
 * AI clients.
 * test/generated.test.ts fails if a file is out of date.
 *
 * Usage: npm run generate
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedFiles } from './generated/files.ts';

const root = path.resolve(import.meta.dirname, '..');
const files = await generatedFiles();
for (const [name, content] of Object.entries(files)) {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  console.log(name);
}
const json = Object.keys(files).filter((name) => name.endsWith('.json'));
execFileSync('biome', ['format', '--write', ...json], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
