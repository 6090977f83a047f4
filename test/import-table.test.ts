import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from './helpers/find-imports.ts';
import { importedOnlyBy, importedThrough, importTable, packages } from './import-table.ts';

const sdk = '@modelcontextprotocol/';
const sdkFiles = ['server', 'http', 'stdio', 'stdio-transport', 'task-protocol', 'bridge'].map(
  (name) => `src/transports/mcp/${name}.ts`,
);
const catchAllNames = ['utils', 'helpers', 'common', 'types', 'misc', 'shared'];

function moduleOf(file: string): string | undefined {
  const [top, next = ''] = file.split('/');
  if (top === 'tools') return top;
  return top === 'src' ? `src/${next.replace(/\.\w+$/, '')}` : undefined;
}

/** The module, package or `node:` module that a specifier in `file` means; undefined for anything else. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return moduleOf(path.posix.join(path.posix.dirname(file), specifier));
  const [first = '', second] = specifier.replace(/^node:/, '').split('/');
  if (isBuiltin(specifier)) return `node:${first}`;
  if (!/^(@[\w.-]+\/)?[\w.-]+(\/|$)/.test(specifier)) return undefined;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function mayImport(file: string, module: string, target: string): boolean {
  if (target.startsWith('src/') || target === 'tools' || target.startsWith('node:')) {
    const { imports = [] } = importTable[module] ?? {};
    const isAllowed = imports.includes(target) || (target.startsWith('node:') && imports.includes('node:*'));
    return isAllowed && (importedOnlyBy[target]?.includes(module) ?? true);
  }
  const folders = packages[target] ?? packages[target.replace(/\/.*/, '/*')] ?? [];
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

/** Loads the modules whose addresses others hand to it with their tasks, so that it need not know them. */
const taskThread = 'src/platform/threads/worker.ts';

/** Everything wrong with the place, the name and the imports of one file, one line each. */
function problemsOf(file: string, text: string): string[] {
  const module = moduleOf(file) ?? '';
  if (!importTable[module]) return [`${file}: the module ${module} is missing from the table`];
  const catchAll = file.split('/').find((name) => catchAllNames.includes(name.replace(/\..*/, '')));
  const named = catchAll === undefined ? [] : [`${file}: ${catchAll} does not say what it holds`];
  const imported = importsOf(file, text).flatMap(({ specifier }) => {
    if (specifier === undefined)
      return file === taskThread ? [] : `${file}: a computed import cannot be checked`;
    const target = targetOf(file, specifier);
    if (target === undefined) return `${file}: ${specifier} is in no module and no package`;
    if (specifier.startsWith(sdk) && !sdkFiles.includes(file))
      return `${file}: ${specifier} belongs in ${sdkFiles.join(', ')}`;
    if (target === module) return [];
    const entry = importedThrough[target];
    if (entry !== undefined && path.posix.join(path.posix.dirname(file), specifier) !== entry)
      return `${file}: ${target} is imported through ${entry} alone`;
    return mayImport(file, module, target) ? [] : `${file}: ${module} may not import ${target}`;
  });
  return [...named, ...imported];
}

test('every file imports only what its module may import', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const files = globSync(['src/**/*.*', 'tools/**/*.*'], { cwd: root }).filter((file) =>
    /\.[cm]?[jt]sx?$/.test(file),
  );
  expect(files.length).toBeGreaterThanOrEqual(10);
  const problems = files
    .toSorted()
    .flatMap((file) => problemsOf(file, readFileSync(path.join(root, file), 'utf8')));
  expect(problems).toEqual([]);
});

test.for<[text: string, target: string]>([
  ["import { Pool } from 'pg';", 'pg'],
  ["import pg from 'pg';", 'pg'],
  ["import * as pg from 'pg';", 'pg'],
  ["import 'pg';", 'pg'],
  ["import { type Pool } from 'pg';", 'pg'],
  ["import type { Pool } from 'pg';", 'pg'],
  ["export { Pool } from 'pg';", 'pg'],
  ["export * from 'pg';", 'pg'],
  ["export * as pg from 'pg';", 'pg'],
  ["export type { Pool } from 'pg';", 'pg'],
  ["export type * from 'pg';", 'pg'],
  ["export const load = async () => import('pg');", 'pg'],
  ['export const load = async () => import(`pg`);', 'pg'],
  ["export type Pool = import('pg').Pool;", 'pg'],
  ["export type Pg = typeof import('pg');", 'pg'],
  ["import pg = require('pg');", 'pg'],
  ["export const pg = require('pg');", 'pg'],
  ["import 'pg/lib/client.js';", 'pg'],
  ["import '@koa/router';", '@koa/router'],
  ["import 'node:fs/promises';", 'node:fs'],
  ["import 'fs';", 'node:fs'],
  ["import '../calls/engine.ts';", 'src/calls'],
  ["import '../postgres/pool.ts';", 'src/postgres'],
  ["import '../../tools/index.ts';", 'tools'],
])('finds the forbidden import in %s', ([text, target]) => {
  expect(problemsOf('src/design/schema.ts', text)).toEqual([
    `src/design/schema.ts: src/design may not import ${target}`,
  ]);
});

test.for<[file: string, text: string, problem: string]>([
  ['src/operation/context.ts', "import { Stores } from '../store/stores.ts';", 'may not import src/store'],
  [
    'src/operation/context.ts',
    "import { type Stores } from '../store/stores.ts';",
    'may not import src/store',
  ],
  [
    'src/transports/rest/app.ts',
    "import { toolsets } from '../../../tools/index.ts';",
    'may not import tools',
  ],
  ['src/transports/rest/app.ts', "import '../../core/core.ts';", 'may not import src/core'],
  [
    'src/design/facts.ts',
    "import '../disclosure/rule.ts';",
    'src/disclosure is imported through src/disclosure/index.ts alone',
  ],
  ['src/core/core.ts', "import '../command-line/listen.ts';", 'may not import src/command-line'],
  ['src/command-line/commands/serve.ts', "import '../../main.ts';", 'may not import src/main'],
  ['src/transports/mcp/http.ts', "import 'koa-body';", 'may not import koa-body'],
  ['src/transports/mcp/http.ts', "import type {} from 'left-pad';", 'may not import left-pad'],
  [
    'src/transports/mcp/result.ts',
    "import '@modelcontextprotocol/server';",
    'belongs in src/transports/mcp/server.ts',
  ],
  ['src/core/core.ts', "import '@modelcontextprotocol/server';", 'belongs in src/transports/mcp/server.ts'],
  ['src/core/core.ts', "import '../../test/world.ts';", 'in no module and no package'],
  ['src/core/core.ts', "import '/etc/passwd';", 'in no module and no package'],
  ['src/core/core.ts', 'export const load = async (name: string) => import(name);', 'computed import'],
  ['src/billing/charge.ts', '', 'the module src/billing is missing'],
  ['src/billing.ts', '', 'the module src/billing is missing'],
  ['src/operation/utils.ts', '', 'utils.ts does not say'],
  ['tools/common/page.ts', '', 'common does not say'],
])('reports %s with %s', ([file, text, problem]) => {
  expect(problemsOf(file, text)).toEqual([expect.stringContaining(problem)]);
});

test.for<[file: string, text: string]>([
  ['src/transports/http/request-state.ts', "import type { Caller } from '../../operation/context.ts';"],
  ['src/operation/invoke.ts', "import './context.ts'; import 'node:crypto'; import * as v from 'valibot';"],
  ['src/transports/mcp/stdio.ts', "import { serveStdio } from '@modelcontextprotocol/server/stdio';"],
  [
    'src/transports/rest/app.ts',
    "import '@koa/router'; import 'node:stream/promises'; import { log } from '../../platform/log.ts';",
  ],
  [
    'src/command-line/commands/serve.ts',
    "import '../../jobs/boss.ts'; import '../../../tools/index.ts'; import 'node:net';",
  ],
  ['src/resources/flows/store.ts', 'export const text = "import \'koa\'"; // import "koa"'],
])('accepts %s with %s', ([file, text]) => {
  expect(problemsOf(file, text)).toEqual([]);
});
