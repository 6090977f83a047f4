import { commands } from '../../src/command-line/commands/index.ts';
import { page, table } from './markdown.ts';

/** docs/command-line.md: every subcommand with its arguments. */
export async function commandLinePage(): Promise<string> {
  const rows = Object.entries(commands).map(async ([name, load]) => {
    const { usage, summary, details } = await load();
    return [`\`${`${name} ${usage}`.trim()}\``, [`${summary}.`, details].join(' ').trim()];
  });
  return page(
    'Command line',
    'Run a command with `npm run --silent parley -- COMMAND`, or with `node bin/parley.js COMMAND` from any folder. `--help` prints the arguments of a command. A command exits with status 0 if it succeeds, 1 if it fails, and 2 if its arguments are wrong.',
    table(['Command', 'What it does'], await Promise.all(rows)),
  );
}
