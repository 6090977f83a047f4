/**
 * Writes every generated file: the registry of operations, the OpenAPI document, the list of MCP tools, the tables of the
 * docs, and the configuration of AI clients.
 * test/generated.test.ts fails if a file is out of date.
 *
 * Usage: npm run generate
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { registryFile } from './generated/registry.ts';

const root = path.resolve(import.meta.dirname, '..');

function write(name: string, content: string | object): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  console.log(name);
}

write('tools/index.ts', await registryFile());
// The other files import the registry, so they are loaded once it is up to date.
const { otherFiles } = await import('./generated/files.ts');
const files = await otherFiles();
for (const [name, content] of Object.entries(files)) write(name, content);
const json = Object.keys(files).filter((name) => name.endsWith('.json'));
execFileSync('biome', ['format', '--write', ...json], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
