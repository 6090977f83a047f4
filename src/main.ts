import { type Command, CommandError, UsageError } from './command-line/command.ts';
import { commands } from './commands/index.ts';
import { ConfigError } from './config/config.ts';

async function main(args: readonly string[]): Promise<void> {
  const [first = '', second = '', ...rest] = args;
  if (first === '--help' || first === '-h' || first === 'help') return printHelp();
  const twoWords = `${first} ${second}`;
  if (Object.hasOwn(commands, twoWords)) return runCommand(twoWords, rest);
  if (Object.hasOwn(commands, first)) return runCommand(first, args.slice(1));
  const known = `The commands are ${Object.keys(commands).join(', ')}.`;
  throw new UsageError(first ? `There is no command "${first}". ${known}` : `A command is missing. ${known}`);
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const command = await commands[name]?.();
  if (args.includes('--help')) process.stdout.write(command ? helpOf(name, command) : '');
  else await command?.run(args);
}

function helpOf(name: string, { usage, summary, details }: Command): string {
  const text = [`parley ${name} ${usage}`.trim(), `${summary}.`, ...(details === undefined ? [] : [details])];
  return `${text.join('\n\n')}\n`;
}

async function printHelp(): Promise<void> {
  const names = Object.keys(commands);
  const width = Math.max(...names.map(({ length }) => length));
  const lines = [
    'Usage: parley COMMAND [ARGUMENTS]',
    '',
    ...(await Promise.all(
      Object.entries(commands).map(
        async ([name, load]) => `  parley ${name.padEnd(width)}  ${(await load()).summary}`,
      ),
    )),
    '',
    'parley COMMAND --help explains the arguments of a command.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function fail(error: unknown): void {
  const expected =
    error instanceof UsageError || error instanceof CommandError || error instanceof ConfigError;
  if (!expected) throw error;
  process.stderr.write(`parley: ${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

// No top-level await, because the bundle is CommonJS.
main(process.argv.slice(2)).catch(fail);
