import type { Command } from './command.ts';

/** A subcommand, which is loaded only if it runs. */
interface Entry {
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every subcommand, in the order of the help. */
export const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'Serves REST under `/v1` and MCP at `/mcp`.',
    load: () => import('./serve.ts'),
  },
  mcp: { summary: 'Serves MCP on stdin and stdout.', load: () => import('./mcp.ts') },
  worker: {
    summary: 'Indexes knowledge sources, and serves nothing.',
    load: () => import('./worker.ts'),
  },
  jobs: {
    summary: 'Lists the sources that wait to be indexed, are being indexed, or failed for good.',
    load: () => import('./jobs.ts'),
  },
  migrate: {
    summary: 'Updates the database schema. Every start does so too.',
    load: () => import('./migrate.ts'),
  },
  stop: { summary: 'Stops the embedded Postgres.', load: () => import('./stop.ts') },
  doctor: {
    summary: 'Reports what is wrong with an installation and how to repair it, and changes nothing.',
    load: () => import('./doctor.ts'),
  },
  demo: {
    summary:
      "Prints the demo's ids, its publishable key, and a second project whose records the first one cannot see.",
    load: () => import('./demo.ts'),
  },
  whoami: {
    summary: 'Prints the credentials in use, or one member of them.',
    load: () => import('./whoami.ts'),
  },
  'project create': {
    summary: 'Creates a project and its first key.',
    load: () => import('./project-create.ts'),
  },
  'key create': {
    summary: 'Creates a key for a project, and prints it once.',
    load: () => import('./key-create.ts'),
  },
  'number add': {
    summary: 'Adds a native phone number to a project. It counts towards the limit of the plan.',
    load: () => import('./number-add.ts'),
  },
  call: {
    summary: 'Calls one tool, and prints its response on stdout or its error on stderr.',
    load: () => import('./call.ts'),
  },
  export: {
    summary: 'Writes all rows of all projects, as of one moment, to one file. Secrets stay encrypted.',
    load: () => import('./export.ts'),
  },
  import: {
    summary: 'Loads an export into an empty database, completely or not at all.',
    load: () => import('./import.ts'),
  },
  backup: {
    summary: 'Writes an encrypted export that also holds the secret key and the credentials.',
    load: () => import('./backup.ts'),
  },
  restore: {
    summary: 'Loads a backup. The same keys work at once.',
    load: () => import('./restore.ts'),
  },
  openapi: {
    summary: 'Prints the OpenAPI 3.1 document that the server returns at `/openapi.json`.',
    load: () => import('./openapi.ts'),
  },
  '--version': { summary: 'Prints the version and the commit.', load: () => import('./version.ts') },
};
