import type { Command } from '../command.ts';

/** Every command by its name, in the order of `parley --help`. A command is loaded only if it runs. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: () => import('./serve.ts'),
  mcp: () => import('./mcp.ts'),
  worker: () => import('./worker.ts'),
  jobs: () => import('./jobs.ts'),
  migrate: () => import('./migrate.ts'),
  stop: () => import('./stop.ts'),
  doctor: () => import('./doctor.ts'),
  demo: () => import('./demo.ts'),
  whoami: () => import('./whoami.ts'),
  'project create': () => import('./project-create.ts'),
  'key create': () => import('./key-create.ts'),
  'number add': () => import('./number-add.ts'),
  'number connect': () => import('./number-connect.ts'),
  call: () => import('./call.ts'),
  simulate: () => import('./simulate.ts'),
  'scenarios pull': () => import('./scenarios-pull.ts'),
  'scenarios push': () => import('./scenarios-push.ts'),
  'scenarios run': () => import('./scenarios-run.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  openapi: () => import('./openapi.ts'),
  version: () => import('./version.ts'),
};
