import { readConfig } from '../config.ts';
import { CommandError, parseArguments } from './command.ts';
import { readDemo } from './demo-data.ts';
import { identify, localUrl, withCore } from './open.ts';

export const usage = '[--json]';

/** `parley demo`: every id of the demo, with its keys; makes the demo on an empty database. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' } });
  if (readConfig().production) throw new CommandError('there is no demo in production (NODE_ENV=production)');
  await withCore(async (core, config) => {
    await identify(core, config);
    const demo = readDemo(config.home);
    if (!demo)
      throw new CommandError(
        `there is no demo in ${config.home}: an empty database gets one at the first start`,
      );
    await core.authenticate(demo.key);
    const shown = { url: localUrl(config), ...demo };
    process.stdout.write(`${values['json'] ? JSON.stringify(shown) : lines(shown)}\n`);
  });
}

function lines(record: object, under = ''): string {
  return Object.entries(record)
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? lines(value, `${under}${name}.`)
        : `${under}${name}: ${String(value)}`,
    )
    .join('\n');
}
