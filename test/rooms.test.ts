import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

interface Row {
  /** Rooms, packages (`@koa/*` is a whole scope) and Node's modules (`node:*` is every one); or anything. */
  readonly imports: readonly string[] | 'anything';
  /** What only `import type` may name. */
  readonly types?: readonly string[];
}

const services = [
  'src/models',
  'src/knowledge',
  'src/rooms',
  'src/vault',
  'src/jobs',
  'src/runtime',
  'src/drawing',
];
const service = ['src/errors', 'src/design', 'src/store', 'src/log'];
const adapter = ['src/tool', 'src/auth', 'src/errors', 'src/http', 'src/log', 'node:*'];

/** The architecture's table. A room is a folder or a file directly under `src`; `tools` is one room. */
const roomMayImport: Readonly<Record<string, Row>> = {
  tools: {
    imports: ['src/tool', 'src/errors', 'src/design', 'src/catalogue', 'src/resources', 'valibot'],
    types: ['src/store', ...services],
  },
  'src/resources': {
    imports: [
      'src/tool',
      'src/errors',
      'src/design',
      'src/catalogue',
      'valibot',
      'libphonenumber-js',
      'node:net',
    ],
    types: ['src/store', ...services],
  },
  'src/tool': {
    imports: ['src/errors', 'src/id', 'src/log', 'valibot', '@valibot/to-json-schema', 'node:crypto'],
    types: ['src/store', 'src/auth', ...services],
  },
  'src/config': { imports: ['valibot', 'node:fs', 'node:path', 'node:url'] },
  'src/errors': { imports: [] },
  'src/id': { imports: ['node:crypto'] },
  'src/log': { imports: ['pino'] },
  'src/auth': { imports: ['src/errors', 'src/store', 'src/log', 'node:crypto', 'node:zlib'] },
  'src/db': { imports: ['src/log', 'knex', 'pg', 'node:*'] },
  'src/store': {
    imports: [
      'src/errors',
      'src/id',
      'src/log',
      'src/db',
      'src/search',
      'knex',
      'node:crypto',
      'node:timers',
    ],
  },
  'src/search': { imports: ['src/store'], types: ['knex'] },
  'src/usage': { imports: ['src/errors', 'src/store', 'node:crypto', 'node:timers'], types: ['knex'] },
  'src/design': { imports: ['src/errors', 'valibot', '@dagrejs/dagre', 'json-p3', 'tiny-merge-patch'] },
  'src/catalogue': { imports: ['src/design'], types: ['src/store'] },
  'src/drawing': { imports: ['src/errors', 'src/design', '@resvg/resvg-wasm', 'node:*'] },
  'src/models': {
    imports: [...service, 'src/config', 'valibot', '@valibot/to-json-schema', 'openai', 'undici', 'node:*'],
  },
  'src/knowledge': {
    imports: [
      ...service,
      'ipaddr.js',
      'undici',
      'ipaddr.js',
      'csv-parse',
      'franc',
      'html-encoding-sniffer',
      'mammoth',
      'marked',
      'parse5',
      'unpdf',
      'yauzl',
      'node:*',
    ],
  },
  'src/rooms': { imports: [...service, 'livekit-server-sdk', 'node:crypto'] },
  'src/vault': { imports: [...service, 'node:crypto'] },
  'src/jobs': { imports: [...service, 'pg-boss', 'node:timers'], types: ['knex'] },
  'src/archive': {
    imports: ['src/errors', 'src/db', 'src/vault', 'pg-copy-streams', 'valibot', 'node:*'],
    types: ['knex'],
  },
  'src/runtime': { imports: [...service, 'node:*'] },
  'src/http': { imports: ['src/errors', 'src/log', 'node:*'], types: ['src/tool'] },
  'src/rest': { imports: [...adapter, 'koa', '@koa/*', '@fastify/busboy'] },
  'src/mcp': { imports: [...adapter, '@modelcontextprotocol/*', 'zod'], types: ['koa'] },
  'src/core': { imports: 'anything' },
  'src/commands': { imports: 'anything' },
  'src/main': { imports: 'anything' },
};

/** Rooms that wire the others: who else names one has turned the direction round. Tests stand outside. */
const onlyImportedBy: Readonly<Record<string, readonly string[]>> = {
  'src/main': [],
  'src/commands': ['src/main'],
  'src/core': ['src/main', 'src/commands'],
  tools: ['src/main', 'src/commands', 'src/core'],
};

const sdk = '@modelcontextprotocol/';
const sdkFiles = ['src/mcp/server.ts', 'src/mcp/http.ts', 'src/mcp/stdio.ts'];
const emptyNames = ['utils', 'helpers', 'common', 'types', 'misc'];

interface Import {
  /** Undefined: computed, so that nobody can tell what it loads. */
  readonly specifier: string | undefined;
  readonly typeOnly: boolean;
}

/** Every way in which TypeScript names another module. */
function importsOf(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  const found: Import[] = [];
  const add = (source: Expression | Argument | undefined, typeOnly: boolean) => {
    found.push({ specifier: source && textOf(source), typeOnly });
  };
  // `import { type A }` is no type-only import: Node strips the name and still loads the module.
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source) add(source, exportKind === 'type');
    },
    ImportExpression: ({ source }) => add(source, false),
    TSImportType: ({ source }) => add(source, true),
    TSExternalModuleReference: ({ expression }) => add(expression, false),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first, false);
    },
  }).visit(program);
  return found;
}

function textOf(source: Expression | Argument): string | undefined {
  if (source.type === 'Literal' && typeof source.value === 'string') return source.value;
  if (source.type !== 'TemplateLiteral' || source.expressions.length > 0) return undefined;
  return source.quasis[0]?.value.cooked ?? undefined;
}

function roomOf(file: string): string | undefined {
  const [top, next = ''] = file.split('/');
  if (top === 'tools') return top;
  return top === 'src' ? `src/${next.replace(/\.\w+$/, '')}` : undefined;
}

/** The room, package or `node:` module that a specifier in `file` means; undefined where it is none of these. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return roomOf(path.posix.join(path.posix.dirname(file), specifier));
  const [first = '', second] = specifier.replace(/^node:/, '').split('/');
  if (isBuiltin(specifier)) return `node:${first}`;
  if (!/^(@[\w.-]+\/)?[\w.-]+(\/|$)/.test(specifier)) return undefined;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function includes(names: readonly string[], target: string): boolean {
  const family = target.startsWith('node:') ? 'node:*' : target.replace(/\/.*/, '/*');
  return names.includes(target) || (!target.startsWith('src/') && names.includes(family));
}

/** What is wrong with one file's place, name and imports, one line each. */
function complaints(file: string, text: string): string[] {
  const room = roomOf(file) ?? '';
  const row = roomMayImport[room];
  if (!row) return [`${file}: the room ${room} is missing from the table`];
  const empty = file.split('/').find((name) => emptyNames.includes(name.replace(/\..*/, '')));
  const named = empty === undefined ? [] : [`${file}: the name ${empty} says nothing`];
  const imported = importsOf(file, text).flatMap(({ specifier, typeOnly }) => {
    if (specifier === undefined) return `${file}: a computed import cannot be checked`;
    const target = targetOf(file, specifier);
    if (target === undefined) return `${file}: ${specifier} is in no room and no package`;
    if (specifier.startsWith(sdk) && !sdkFiles.includes(file))
      return `${file}: ${specifier} belongs in ${sdkFiles.join(', ')}`;
    if (target === room) return [];
    const allowed =
      row.imports === 'anything' ||
      includes(row.imports, target) ||
      (typeOnly && includes(row.types ?? [], target));
    const welcome = onlyImportedBy[target]?.includes(room) ?? true;
    if (allowed && welcome) return [];
    return `${file}: ${room} may not import ${typeOnly ? 'types of ' : ''}${target}`;
  });
  return [...named, ...imported];
}

test('every file is in a room, and imports only what its room may', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const files = globSync(['src/**/*.*', 'tools/**/*.*'], { cwd: root }).filter((file) =>
    /\.[cm]?[jt]sx?$/.test(file),
  );
  expect(files.length).toBeGreaterThanOrEqual(10);
  const found = files
    .toSorted()
    .flatMap((file) => complaints(file, readFileSync(path.join(root, file), 'utf8')));
  expect(found).toEqual([]);
});

test.for<[text: string, target: string]>([
  ["import { Pool } from 'pg';", 'pg'],
  ["import pg from 'pg';", 'pg'],
  ["import * as pg from 'pg';", 'pg'],
  ["import 'pg';", 'pg'],
  ["import { type Pool } from 'pg';", 'pg'],
  ["import type { Pool } from 'pg';", 'types of pg'],
  ["export { Pool } from 'pg';", 'pg'],
  ["export * from 'pg';", 'pg'],
  ["export * as pg from 'pg';", 'pg'],
  ["export type { Pool } from 'pg';", 'types of pg'],
  ["export type * from 'pg';", 'types of pg'],
  ["export const load = async () => import('pg');", 'pg'],
  ['export const load = async () => import(`pg`);', 'pg'],
  ["export type Pool = import('pg').Pool;", 'types of pg'],
  ["export type Pg = typeof import('pg');", 'types of pg'],
  ["import pg = require('pg');", 'pg'],
  ["export const pg = require('pg');", 'pg'],
  ["import 'pg/lib/client.js';", 'pg'],
  ["import '@koa/router';", '@koa/router'],
  ["import 'node:fs/promises';", 'node:fs'],
  ["import 'fs';", 'node:fs'],
  ["import '../log.ts';", 'src/log'],
  ["import '../db/pool.ts';", 'src/db'],
  ["import '../../tools/index.ts';", 'tools'],
])('sees the forbidden import in %s', ([text, target]) => {
  expect(complaints('src/design/schema.ts', text)).toEqual([
    `src/design/schema.ts: src/design may not import ${target}`,
  ]);
});

test.for<[file: string, text: string, complaint: string]>([
  ['src/tool/context.ts', "import { Stores } from '../store/stores.ts';", 'may not import src/store'],
  ['src/tool/context.ts', "import { type Stores } from '../store/stores.ts';", 'may not import src/store'],
  ['src/rest/app.ts', "import { toolsets } from '../../tools/index.ts';", 'may not import tools'],
  ['src/rest/app.ts', "import '../core.ts';", 'may not import src/core'],
  ['src/core.ts', "import './commands/serve.ts';", 'may not import src/commands'],
  ['src/commands/serve.ts', "import '../main.ts';", 'may not import src/main'],
  ['src/mcp/result.ts', "import '@modelcontextprotocol/server';", 'belongs in src/mcp/server.ts'],
  ['src/core.ts', "import '@modelcontextprotocol/server';", 'belongs in src/mcp/server.ts'],
  ['src/core.ts', "import '../test/world.ts';", 'in no room and no package'],
  ['src/core.ts', "import '/etc/passwd';", 'in no room and no package'],
  ['src/core.ts', 'export const load = async (name: string) => import(name);', 'computed import'],
  ['src/billing/charge.ts', '', 'the room src/billing is missing'],
  ['src/billing.ts', '', 'the room src/billing is missing'],
  ['src/tool/utils.ts', '', 'the name utils.ts says nothing'],
  ['tools/common/page.ts', '', 'the name common says nothing'],
])('complains about %s with %s', ([file, text, complaint]) => {
  expect(complaints(file, text)).toEqual([expect.stringContaining(complaint)]);
});

test.for<[file: string, text: string]>([
  ['src/tool/context.ts', "import type { Stores } from '../store/stores.ts';"],
  ['src/tool/invoke.ts', "import './context.ts'; import 'node:crypto'; import * as v from 'valibot';"],
  ['src/mcp/stdio.ts', "import { serveStdio } from '@modelcontextprotocol/server/stdio';"],
  [
    'src/rest/app.ts',
    "import '@koa/router'; import 'node:stream/promises'; import { log } from '../log.ts';",
  ],
  ['src/commands/serve.ts', "import '../core.ts'; import '../../tools/index.ts'; import 'node:net';"],
  ['src/store/flows.ts', 'export const text = "import \'koa\'"; // import "koa"'],
])('has nothing against %s with %s', ([file, text]) => {
  expect(complaints(file, text)).toEqual([]);
});
