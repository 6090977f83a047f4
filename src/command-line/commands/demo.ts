import { localUrl, readConfig } from '../../platform/config/config.ts';
import { CommandError, parseArguments } from '../command.ts';
import { readDemo } from '../demo/make-demo.ts';
import { identify, withCore } from '../open-core.ts';

export const usage = '[--json]';
export const summary =
  "Prints the demo's ids and keys, and those of a second project whose records the first cannot see";
export const details = 'On an empty database, makes the demo first.';

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' } });
  if (readConfig().production)
    throw new CommandError(
      'There is no demo in production (NODE_ENV=production). Unset NODE_ENV to make one.',
    );
  await withCore(async (core, config) => {
    await identify(core, config);
    const demo = readDemo(config.home);
    if (!demo)
      throw new CommandError(
        `There is no demo in ${config.home}. Parley makes one at the first start on an empty database.`,
      );
    await core.authenticate(demo.key);
    const record = { url: localUrl(config), ...demo };
    process.stdout.write(`${values['json'] ? JSON.stringify(record) : lines(record)}\n`);
  });
}

/** One line for each value, with the names of nested records joined by dots. */
function lines(record: object, prefix = ''): string {
  return Object.entries(record)
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? lines(value, `${prefix}${name}.`)
        : `${prefix}${name}: ${String(value)}`,
    )
    .join('\n');
}
