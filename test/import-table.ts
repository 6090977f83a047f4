/** What one module may import: other modules, and Node's modules (`node:*` is all). Packages have a table of their own. */
export interface ImportRow {
  /** In one line, for ARCHITECTURE.md. */
  readonly holds: string;
  readonly imports: readonly string[];
}

/** Every module with its imports. A module is a folder or a file directly under `src`; `tools` is one module. */
export const importTable: Readonly<Record<string, ImportRow>> = {
  'src/main': {
    holds: 'Picks the command to run.',
    imports: ['src/command-line', 'src/platform'],
  },
  'src/command-line': {
    holds: 'The commands, one file each, and what they share.',
    imports: [
      'tools',
      'src/archive',
      'src/core',
      'src/design',
      'src/environment',
      'src/jobs',
      'src/operation',
      'src/platform',
      'src/postgres',
      'src/resources',
      'src/services',
      'src/store',
      'src/transports',
      'node:*',
    ],
  },
  'src/core': {
    holds: 'Opens the database, wires the services, and closes them.',
    imports: [
      'src/environment',
      'src/jobs',
      'src/operation',
      'src/platform',
      'src/postgres',
      'src/resources',
      'src/services',
      'src/store',
      'src/transports',
      'node:timers',
    ],
  },
  'src/transports': {
    holds:
      'The HTTP server, REST, MCP, OAuth, the web pages and the port for operators; who calls, and how often.',
    imports: [
      'src/environment',
      'src/jobs',
      'src/operation',
      'src/platform',
      'src/postgres',
      'src/resources',
      'src/services',
      'src/store',
      'node:*',
    ],
  },
  tools: {
    holds: 'The operations, one per file, and the registry of them.',
    imports: [
      'src/design',
      'src/disclosure',
      'src/environment',
      'src/operation',
      'src/platform',
      'src/resources',
      'src/services',
      'src/store',
    ],
  },
  'src/jobs': {
    holds: 'The queue of background jobs and its workers.',
    imports: ['src/platform', 'src/postgres', 'src/resources', 'src/services', 'src/store', 'node:timers'],
  },
  'src/resources': {
    holds: 'A folder for each resource: its record, its rules and its SQL.',
    imports: [
      'src/calls',
      'src/design',
      'src/disclosure',
      'src/environment',
      'src/operation',
      'src/platform',
      'src/postgres',
      'src/services',
      'src/store',
      'node:*',
    ],
  },
  'src/environment': {
    holds: 'Binds the kernel to the stores and services of Parley, for operations and rules.',
    imports: ['src/operation', 'src/platform', 'src/services', 'src/store'],
  },
  'src/store': {
    holds: 'The SQL that several resources share: a store of one project, pages, the ledger, tasks.',
    imports: ['src/operation', 'src/platform', 'src/postgres', 'src/services', 'node:timers'],
  },
  'src/operation': {
    holds: 'The kernel: defines operations and runs them.',
    imports: ['src/platform', 'node:crypto'],
  },
  'src/services': {
    holds: 'Models, search, drawing, LiveKit, and the APIs of providers.',
    imports: ['src/design', 'src/disclosure', 'src/platform', 'src/postgres', 'node:*'],
  },
  'src/archive': {
    holds: 'Exports, imports, backups and restores.',
    imports: ['src/platform', 'src/postgres', 'node:*'],
  },
  'src/postgres': {
    holds: 'Connects to Postgres, migrates it, and runs the embedded one.',
    imports: ['src/platform', 'node:*'],
  },
  'src/calls': {
    holds: 'Plays designs. Pure functions: no clock, no network, no model.',
    imports: ['src/design', 'src/disclosure', 'src/platform'],
  },
  'src/design': {
    holds: 'The format of designs: checks, edits, merge, diff, proof. Pure functions.',
    imports: ['src/disclosure', 'src/platform'],
  },
  'src/disclosure': {
    holds:
      'Rules on whether a line says that an AI speaks, in 21 languages. Published as `parley/disclosure`.',
    imports: [],
  },
  'src/platform': {
    holds:
      'Errors, ids, the log, the configuration, tracing, the vault, threads, and requests to the open internet.',
    imports: ['node:*'],
  },
};

/** The folders that may import each package (`@koa/*` is a whole scope). */
export const packages: Readonly<Record<string, readonly string[]>> = {
  '@dagrejs/dagre': ['src/design/diagram'],
  '@fastify/busboy': ['src/transports/rest'],
  '@koa/*': ['src/transports'],
  '@modelcontextprotocol/*': ['src/transports/mcp'],
  '@opentelemetry/*': ['src/platform/tracing'],
  '@resvg/resvg-wasm': ['src/services/rendering'],
  '@xmldom/xmldom': ['src/services/calendars'],
  '@valibot/to-json-schema': ['src/operation', 'src/services/models'],
  'csv-parse': ['src/resources/knowledge/extraction'],
  'fastest-levenshtein': ['src/platform'],
  franc: ['src/resources/knowledge/extraction'],
  'html-encoding-sniffer': ['src/resources/knowledge/extraction'],
  'ical.js': ['src/services/calendars'],
  'ipaddr.js': ['src/platform', 'src/transports/auth'],
  jose: ['src/resources/sessions', 'src/transports/oauth'],
  'json-p3': ['src/design'],
  knex: [
    'src/archive',
    'src/command-line',
    'src/core',
    'src/jobs',
    'src/platform/private-members',
    'src/postgres',
    'src/resources',
    'src/services/search',
    'src/store',
    'src/transports/oauth',
  ],
  koa: ['src/platform/private-members', 'src/transports'],
  'koa-body': ['src/transports/rest'],
  'libphonenumber-js': ['src/resources/phone-numbers'],
  'livekit-server-sdk': ['src/services'],
  mammoth: ['src/resources/knowledge/extraction'],
  marked: ['src/resources/knowledge/extraction'],
  'oidc-provider': ['src/transports/oauth'],
  openai: ['src/services/models'],
  parse5: ['src/resources/knowledge/extraction'],
  pg: ['src/command-line', 'src/platform/private-members', 'src/postgres'],
  'pg-boss': ['src/jobs'],
  'pg-copy-streams': ['src/archive'],
  pino: ['src/platform'],
  'prom-client': ['src/transports/ops'],
  re2js: ['src/calls'],
  'tiny-merge-patch': ['src/design'],
  undici: ['src/platform/outbound', 'src/resources/knowledge', 'src/services'],
  unpdf: ['src/resources/knowledge/extraction'],
  valibot: [
    'tools',
    'src/archive',
    'src/command-line',
    'src/design',
    'src/environment',
    'src/operation',
    'src/platform/config',
    'src/resources',
    'src/services/models',
    'src/transports/mcp',
  ],
  yauzl: ['src/resources/knowledge/extraction'],
  zod: ['src/transports/mcp'],
};

/** Modules that wire others together, with the only modules that may import them. */
export const importedOnlyBy: Readonly<Record<string, readonly string[]>> = {
  'src/main': [],
  'src/command-line': ['src/main'],
  'src/core': ['src/command-line'],
  tools: ['src/command-line'],
};

/** Modules that others use only through one file: their public interface. */
export const importedThrough: Readonly<Record<string, string>> = {
  'src/disclosure': 'src/disclosure/index.ts',
};
