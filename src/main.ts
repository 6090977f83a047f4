import { type Command, CommandError, UsageError } from './command-line/command.ts';
import { commands } from './command-line/commands/index.ts';
import { closest } from './platform/closest.ts';
import { ConfigError } from './platform/config/config.ts';

const helpFlags = new Set(['--help', '-h']);
const versionFlags = new Set(['--version', '-v']);

async function main(args: readonly string[]): Promise<void> {
  const [first = '', ...rest] = args;
  if (first === 'help') return main([...rest, '--help']);
  if (versionFlags.has(first)) return main(['version', ...rest]);
  if (helpFlags.has(first)) return printHelp(Object.keys(commands));
  const name = [args.slice(0, 2).join(' '), first].find((words) => Object.hasOwn(commands, words));
  if (name !== undefined) return runCommand(name, args.slice(name.split(' ').length));
  const group = Object.keys(commands).filter((command) => command.startsWith(`${first} `));
  if (group.length > 0 && rest.some((word) => helpFlags.has(word))) return printHelp(group);
  throw unknownCommand(args, group);
}

/** @param group the commands that begin with the first word */
function unknownCommand([first = '', second = '']: readonly string[], group: readonly string[]): UsageError {
  const names = Object.keys(commands);
  if (group.length > 0) {
    const one = group.length === 1 ? 'The command is' : 'The commands are';
    return new UsageError(
      `There is no command "${`${first} ${second}`.trim()}". ${one} ${group.join(', ')}.`,
    );
  }
  const all = `The commands are ${names.join(', ')}.`;
  if (first === '') return new UsageError(`A command is missing. ${all}`);
  const message = `There is no command "${first}".`;
  return new UsageError(`${message} ${all}`, { message, word: first, known: names });
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const command = await commands[name]?.();
  if (args.some((word) => helpFlags.has(word))) process.stdout.write(command ? helpOf(name, command) : '');
  else await command?.run(args);
}

function helpOf(name: string, { usage, summary, details }: Command): string {
  const text = [`parley ${name} ${usage}`.trim(), `${summary}.`];
  if (details !== undefined) text.push(details);
  if (usage.includes('--json')) text.push('--json prints JSON.');
  return `${text.join('\n\n')}\n`;
}

async function printHelp(names: readonly string[]): Promise<void> {
  const width = Math.max(...names.map(({ length }) => length));
  const summaries = names.map(async (name) => {
    const summary = (await commands[name]?.())?.summary ?? '';
    return `  parley ${name.padEnd(width)}  ${summary}`;
  });
  const lines = [
    'Usage: parley COMMAND [ARGUMENTS]',
    '',
    ...(await Promise.all(summaries)),
    '',
    'parley COMMAND --help explains the arguments of a command.',
    'docs/configuration.md lists the environment variables, such as PORT.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function fail(error: unknown): Promise<void> {
  const expected =
    error instanceof UsageError || error instanceof CommandError || error instanceof ConfigError;
  if (!expected) throw error;
  process.stderr.write(`parley: ${await messageOf(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** The message, with the closest known word in place of a list of all, if the person mistyped one. */
async function messageOf(error: Error): Promise<string> {
  if (!(error instanceof UsageError) || !error.mistyped) return error.message;
  const word = closest(error.mistyped);
  return word === undefined ? error.message : `${error.mistyped.message} Did you mean ${word}?`;
}

/** The reader of a pipe may have enough and leave, as `head` does. What a command does then goes on without its output. */
function tolerateClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A command that writes files handles its errors itself.
    if (error.code === 'EPIPE' || process.stdout.listenerCount('error') > 1) return;
    process.stderr.write(`parley: The output cannot be written (${error.code}).\n`);
    process.exitCode = 1;
  });
}

tolerateClosedOutput();
// No top-level await, because the bundle is CommonJS.
main(process.argv.slice(2)).catch(fail);
