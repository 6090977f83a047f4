/** What one module may import: other modules, packages (`@koa/*` is a whole scope), Node's modules (`node:*` is all). */
export interface ImportRow {
  /** In one line, for ARCHITECTURE.md. */
  readonly holds: string;
  readonly imports: readonly string[];
  /** May be named by `import type` alone. */
  readonly types?: readonly string[];
}

const services = [
  'src/models',
  'src/knowledge',
  'src/outbound',
  'src/providers',
  'src/livekit',
  'src/vault',
  'src/jobs',
  'src/runtime',
  'src/rendering',
];
const service = ['src/errors', 'src/design', 'src/store', 'src/log'];
const adapter = [
  'src/environment',
  'src/tool',
  'src/auth',
  'src/errors',
  'src/http',
  'src/json-text',
  'src/log',
  'src/long-text',
  'node:*',
];

/** Every module with its imports. A module is a folder or a file directly under `src`; `tools` is one module. */
export const importTable: Readonly<Record<string, ImportRow>> = {
  tools: {
    holds: 'The operations, one per file, and the registry of them.',
    imports: [
      'src/environment',
      'src/tool',
      'src/errors',
      'src/disclosure',
      'src/design',
      'src/catalogue',
      'src/resources',
      'valibot',
    ],
    types: ['src/search', 'src/store', ...services],
  },
  'src/resources': {
    holds: 'What the operations of one resource share: record schemas and rules.',
    imports: [
      'src/environment',
      'src/tool',
      'src/errors',
      'src/disclosure',
      'src/design',
      'src/catalogue',
      'src/closest',
      'src/free-memory',
      'src/id',
      'src/runtime',
      'valibot',
      'libphonenumber-js',
      'node:crypto',
      'node:net',
      'node:timers',
      'node:zlib',
    ],
    types: ['src/store', ...services],
  },
  'src/sessions': {
    holds: 'Plays the sessions of visitors, one turn at a time.',
    imports: [
      'src/environment',
      'src/errors',
      'src/models',
      'src/resources',
      'src/runtime',
      'src/store',
      'src/tool',
      'src/turns',
      'valibot',
      'node:*',
    ],
    types: ['src/auth', 'src/design', 'src/log'],
  },
  'src/tool': {
    holds: 'The kernel: defines operations and runs them.',
    imports: [
      'src/errors',
      'src/id',
      'src/long-text',
      'src/tracing',
      'valibot',
      '@valibot/to-json-schema',
      'node:crypto',
    ],
  },
  'src/environment': {
    holds: "What Parley's operations and transports work with: binds the kernel to stores and services.",
    imports: ['src/tool'],
    types: ['src/auth', 'src/errors', 'src/store', 'valibot', ...services],
  },
  'src/config': {
    holds: 'Reads the environment.',
    imports: ['src/closest', 'valibot', 'ipaddr.js', 'node:fs', 'node:path', 'node:url'],
  },
  'src/errors': { holds: 'The error codes and the errors that carry them.', imports: [] },
  'src/closest': {
    holds: 'Finds the known word that is closest to a mistyped one.',
    imports: ['fastest-levenshtein'],
  },
  'src/json-text': {
    holds: 'Counts the values of JSON text, and finds members in it, unparsed.',
    imports: [],
  },
  'src/long-text': {
    holds: 'Takes long texts out of JSON while it arrives, and decodes them.',
    imports: ['src/free-memory', 'src/json-text', 'node:crypto'],
  },
  'src/free-memory': { holds: 'Frees the memory of large buffers before V8 does.', imports: [] },
  'src/turns': { holds: 'Lets owners take turns, one piece of work at a time.', imports: ['node:*'] },
  'src/id': { holds: 'Makes ids and tells their kinds apart.', imports: ['node:crypto'] },
  'src/log': { holds: 'Opens the log.', imports: ['pino'] },
  'src/auth': {
    holds: 'Checks keys, finds the addresses of clients, and limits what both may do.',
    imports: ['src/tool', 'src/errors', 'ipaddr.js', 'jose', 'node:crypto', 'node:http', 'node:zlib'],
    types: ['src/store'],
  },
  'src/db': {
    holds: 'Connects to Postgres, migrates it, and runs the embedded one.',
    imports: ['src/tracing', 'knex', 'pg', 'node:*'],
  },
  'src/store': {
    holds: 'The SQL of each resource, bound to one project.',
    imports: [
      'src/tool',
      'src/errors',
      'src/id',
      'src/db',
      'src/design',
      'src/search',
      'knex',
      'node:crypto',
      'node:timers',
    ],
  },
  'src/search': {
    holds: 'The search engine of knowledge bases, in SQL, and what a search reads of documents.',
    imports: ['src/db', 'src/design', 'node:crypto'],
    types: ['knex'],
  },
  'src/usage': {
    holds: 'Records what was used.',
    imports: ['src/errors', 'src/db', 'src/store', 'node:crypto', 'node:timers'],
    types: ['knex'],
  },
  'src/disclosure': {
    holds:
      'Rules on whether a line says that an AI speaks, in 21 languages. Published as `parley/disclosure`.',
    imports: [],
  },
  'src/design': {
    holds: 'The format of designs: checks, edits, merge, diff, proof. Pure functions.',
    imports: [
      'src/disclosure',
      'src/errors',
      'src/closest',
      'valibot',
      '@dagrejs/dagre',
      'json-p3',
      'tiny-merge-patch',
    ],
  },
  'src/catalogue': {
    holds: 'The templates and skills, as data.',
    imports: ['src/design'],
    types: ['src/store'],
  },
  'src/rendering': {
    holds: 'Draws designs as SVG and PNG, in a thread.',
    imports: ['src/errors', 'src/design', 'src/turns', '@resvg/resvg-wasm', 'node:*'],
  },
  'src/models': {
    holds: 'The proxy to the servers of models, and its metering.',
    imports: [
      ...service,
      'src/config',
      'src/json-text',
      'src/search',
      'src/tracing',
      'valibot',
      '@valibot/to-json-schema',
      'openai',
      'undici',
      'node:*',
    ],
    types: ['src/disclosure'],
  },
  'src/knowledge': {
    holds: 'Fetches, reads and splits the sources of knowledge bases.',
    imports: [
      ...service,
      'src/free-memory',
      'src/turns',
      'src/outbound',
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
  'src/outbound': {
    holds: 'Sends requests to addresses from users, and to nothing but the open internet.',
    imports: ['src/errors', 'src/design', 'src/log', 'ipaddr.js', 'undici', 'node:*'],
  },
  'src/providers': {
    holds: 'The APIs of providers: text messages, customer records.',
    imports: ['src/errors', 'undici'],
  },
  'src/livekit': {
    holds: 'Makes the tokens of web sessions.',
    imports: [...service, 'livekit-server-sdk', 'node:crypto', 'node:net'],
  },
  'src/vault': { holds: 'Encrypts secrets.', imports: [...service, 'node:crypto', 'node:timers'] },
  'src/jobs': {
    holds: 'The queue of background jobs and its workers.',
    imports: [...service, 'src/db', 'src/search', 'src/tracing', 'pg-boss', 'node:timers'],
    types: ['knex'],
  },
  'src/archive': {
    holds: 'Exports, imports, backups and restores.',
    imports: ['src/errors', 'src/db', 'src/vault', 'pg-copy-streams', 'valibot', 'node:*'],
    types: ['knex'],
  },
  'src/runtime': {
    holds: 'Plays designs. Pure functions: no clock, no network, no model.',
    imports: ['src/disclosure', 'src/design', 'src/closest', 're2js'],
  },
  'src/http': {
    holds: 'The HTTP server: timeouts, limits, draining.',
    imports: ['src/errors', 'src/json-text', 'src/log', 'src/long-text', 'node:*'],
    types: ['src/auth', 'src/tool'],
  },
  'src/rest': {
    holds: 'Serves the operations over REST.',
    imports: [...adapter, 'src/sessions', 'src/tracing', 'koa', '@koa/*', 'koa-body', '@fastify/busboy'],
  },
  'src/mcp': {
    holds: 'Serves the operations over MCP.',
    imports: [...adapter, 'src/closest', '@modelcontextprotocol/*', 'valibot', 'zod'],
    types: ['src/store', 'koa'],
  },
  'src/oauth': {
    holds: 'Lets MCP clients in that know nothing but the URL: OAuth with a sign-in page.',
    imports: [...adapter, 'src/store', '@koa/*', 'jose', 'oidc-provider'],
    types: ['koa'],
  },
  'src/web': {
    holds: 'Serves the Studio, the chat widget and the page for MCP hosts, and builds them in a checkout.',
    imports: ['src/errors', 'src/http', 'node:*'],
    types: ['src/log', 'koa'],
  },
  'src/tracing': {
    holds: 'Traces requests, statements and jobs with OpenTelemetry.',
    imports: ['@opentelemetry/*', 'node:timers'],
    types: ['src/log'],
  },
  'src/ops': {
    holds: 'Serves liveness, readiness and metrics to operators.',
    imports: ['src/http', 'prom-client', 'node:*'],
    types: ['src/db', 'src/jobs', 'src/log', 'src/models', 'src/sessions'],
  },
  'src/core': {
    holds: 'Opens the database, wires the services, and closes them.',
    imports: [
      'src/environment',
      'src/auth',
      'src/db',
      'src/rendering',
      'src/errors',
      'src/id',
      'src/jobs',
      'src/models',
      'src/livekit',
      'src/outbound',
      'src/providers',
      'src/store',
      'src/tool',
      'src/turns',
      'src/usage',
      'src/vault',
      'node:timers',
    ],
    types: ['src/config', 'src/log', 'src/search', 'knex'],
  },
  'src/command-line': {
    holds: 'What the commands share.',
    imports: [
      'src/environment',
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
      'src/ops',
      'src/store',
      'src/tool',
      'src/tracing',
      'src/usage',
      'src/vault',
      'valibot',
      'node:*',
    ],
    types: ['src/design', 'src/http', 'src/sessions', 'knex'],
  },
  'src/commands': {
    holds: 'One file for each command of the command line.',
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
      'src/oauth',
      'src/resources',
      'src/rest',
      'src/sessions',
      'src/store',
      'src/tool',
      'src/vault',
      'src/web',
      'pg',
      'node:*',
    ],
    types: ['src/core'],
  },
  'src/main': {
    holds: 'Picks the command to run.',
    imports: ['src/closest', 'src/command-line', 'src/commands', 'src/config'],
  },
};

/** Modules that wire others together, with the only modules that may import them. */
export const importedOnlyBy: Readonly<Record<string, readonly string[]>> = {
  'src/main': [],
  'src/commands': ['src/main'],
  'src/command-line': ['src/main', 'src/commands'],
  'src/core': ['src/command-line', 'src/commands'],
  tools: ['src/commands'],
};

/** Modules that others use only through one file: their public interface. */
export const importedThrough: Readonly<Record<string, string>> = {
  'src/disclosure': 'src/disclosure/index.ts',
};
