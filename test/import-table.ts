/** What one module may import: other modules, packages (`@koa/*` is a whole scope), Node's modules (`node:*` is all). */
export interface ImportRow {
  readonly imports: readonly string[];
  /** May be named by `import type` alone. */
  readonly types?: readonly string[];
}

const services = [
  'src/models',
  'src/knowledge',
  'src/livekit',
  'src/vault',
  'src/jobs',
  'src/runtime',
  'src/rendering',
];
const service = ['src/errors', 'src/design', 'src/store', 'src/log'];
const adapter = ['src/tool', 'src/auth', 'src/errors', 'src/http', 'src/log', 'node:*'];

/** Every module with its imports. A module is a folder or a file directly under `src`; `tools` is one module. */
export const importTable: Readonly<Record<string, ImportRow>> = {
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
    imports: ['src/errors', 'src/id', 'valibot', '@valibot/to-json-schema', 'node:crypto'],
    types: ['src/store', 'src/auth', ...services],
  },
  'src/config': { imports: ['valibot', 'node:fs', 'node:path', 'node:url'] },
  'src/errors': { imports: [] },
  'src/id': { imports: ['node:crypto'] },
  'src/log': { imports: ['pino'] },
  'src/auth': { imports: ['src/errors', 'node:crypto', 'node:zlib'], types: ['src/store'] },
  'src/db': { imports: ['knex', 'pg', 'node:*'] },
  'src/store': {
    imports: ['src/errors', 'src/id', 'src/db', 'src/search', 'knex', 'node:crypto', 'node:timers'],
  },
  'src/search': { imports: ['src/db', 'node:crypto'], types: ['knex'] },
  'src/usage': {
    imports: ['src/errors', 'src/db', 'src/store', 'node:crypto', 'node:timers'],
    types: ['knex'],
  },
  'src/design': { imports: ['src/errors', 'valibot', '@dagrejs/dagre', 'json-p3', 'tiny-merge-patch'] },
  'src/catalogue': { imports: ['src/design'], types: ['src/store'] },
  'src/rendering': { imports: ['src/errors', 'src/design', '@resvg/resvg-wasm', 'node:*'] },
  'src/models': {
    imports: [
      ...service,
      'src/config',
      'src/search',
      'valibot',
      '@valibot/to-json-schema',
      'openai',
      'undici',
      'node:*',
    ],
  },
  'src/knowledge': {
    imports: [
      ...service,
      'ipaddr.js',
      'undici',
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
  'src/livekit': { imports: [...service, 'livekit-server-sdk', 'node:crypto'] },
  'src/vault': { imports: [...service, 'node:crypto'] },
  'src/jobs': { imports: [...service, 'src/db', 'src/search', 'pg-boss', 'node:timers'], types: ['knex'] },
  'src/archive': {
    imports: ['src/errors', 'src/db', 'src/vault', 'pg-copy-streams', 'valibot', 'node:*'],
    types: ['knex'],
  },
  'src/runtime': { imports: [...service, 'node:*'] },
  'src/http': { imports: ['src/errors', 'src/log', 'node:*'], types: ['src/tool'] },
  'src/rest': { imports: [...adapter, 'koa', '@koa/*', 'koa-body', '@fastify/busboy'] },
  'src/mcp': { imports: [...adapter, '@modelcontextprotocol/*', 'zod'], types: ['koa'] },
  'src/core': {
    imports: [
      'src/auth',
      'src/db',
      'src/rendering',
      'src/errors',
      'src/jobs',
      'src/models',
      'src/livekit',
      'src/store',
      'src/tool',
      'src/usage',
      'src/vault',
    ],
    types: ['src/config', 'src/log', 'src/search', 'knex'],
  },
  'src/command-line': {
    imports: [
      'tools',
      'src/archive',
      'src/auth',
      'src/config',
      'src/core',
      'src/db',
      'src/errors',
      'src/jobs',
      'src/knowledge',
      'src/log',
      'src/mcp',
      'src/models',
      'src/store',
      'src/tool',
      'src/usage',
      'src/vault',
      'valibot',
      'node:*',
    ],
    types: ['src/design', 'knex'],
  },
  'src/commands': {
    imports: [
      'tools',
      'src/archive',
      'src/auth',
      'src/command-line',
      'src/config',
      'src/db',
      'src/errors',
      'src/http',
      'src/jobs',
      'src/log',
      'src/mcp',
      'src/resources',
      'src/rest',
      'src/store',
      'src/tool',
      'src/vault',
      'pg',
      'node:*',
    ],
    types: ['src/core'],
  },
  'src/main': { imports: ['src/command-line', 'src/commands', 'src/config'] },
};

/** Modules that wire others together, with the only modules that may import them. */
export const importedOnlyBy: Readonly<Record<string, readonly string[]>> = {
  'src/main': [],
  'src/commands': ['src/main'],
  'src/command-line': ['src/main', 'src/commands'],
  'src/core': ['src/command-line', 'src/commands'],
  tools: ['src/command-line', 'src/commands'],
};
