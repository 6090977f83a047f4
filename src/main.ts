import { CommandError, UsageError } from './commands/command.ts';
import { commands } from './commands/index.ts';
import { ConfigError } from './config.ts';

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
  const command = await commands[name]?.load();
  if (args.includes('--help')) process.stdout.write(`parley ${name} ${command?.usage ?? ''}\n`);
  else await command?.run(args);
}

async function printHelp(): Promise<void> {
  for (const [name, { load }] of Object.entries(commands))
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
