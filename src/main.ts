import { type Command, CommandError, UsageError } from './commands/command.ts';
import { ConfigError } from './config.ts';

/** Every subcommand; each is loaded only when it runs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: () => import('./commands/serve.ts'),
  mcp: () => import('./commands/mcp.ts'),
  worker: () => import('./commands/worker.ts'),
  jobs: () => import('./commands/jobs.ts'),
  migrate: () => import('./commands/migrate.ts'),
  stop: () => import('./commands/stop.ts'),
  doctor: () => import('./commands/doctor.ts'),
  demo: () => import('./commands/demo.ts'),
  whoami: () => import('./commands/whoami.ts'),
  'project create': () => import('./commands/project-create.ts'),
  'key create': () => import('./commands/key-create.ts'),
  'number add': () => import('./commands/number-add.ts'),
  call: () => import('./commands/call.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  openapi: () => import('./commands/openapi.ts'),
  '--version': () => import('./commands/version.ts'),
};

async function main(args: readonly string[]): Promise<void> {
  const [first = '', second = '', ...rest] = args;
  if (first === '--help' || first === '-h' || first === 'help') return printHelp();
  const two = `${first} ${second}`;
  if (Object.hasOwn(commands, two)) return runCommand(two, rest);
  if (Object.hasOwn(commands, first)) return runCommand(first, args.slice(1));
  const known = Object.keys(commands).join(', ');
  throw new UsageError(first ? `there is no command "${first}"; there are ${known}` : `name one of ${known}`);
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const command = await commands[name]?.();
  if (args.includes('--help')) process.stdout.write(`parley ${name} ${command?.usage ?? ''}\n`);
  else await command?.run(args);
}

async function printHelp(): Promise<void> {
  for (const [name, load] of Object.entries(commands))
    process.stdout.write(`parley ${`${name} ${(await load()).usage}`.trim()}\n`);
}

function fail(error: unknown): void {
  const expected =
    error instanceof UsageError || error instanceof CommandError || error instanceof ConfigError;
  if (!expected) throw error;
  process.stderr.write(`parley: ${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

// Not awaited: the bundle is CommonJS, where that is not possible.
main(process.argv.slice(2)).catch(fail);
