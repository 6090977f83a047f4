import { readConfig } from '../config.ts';
import { CommandError, parseArguments } from './command.ts';

export const usage = '';

/** `parley stop`: stops the embedded Postgres of this home, whoever still uses it. */
export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const { databaseUrl, home } = readConfig();
  if (databaseUrl !== undefined)
    throw new CommandError('DATABASE_URL is set: there is no embedded Postgres to stop');
  const { stopEmbedded } = await import('../db/embedded.ts');
  const outcome = await stopEmbedded(home);
  process.stdout.write(
    `The embedded Postgres ${outcome === 'stopped' ? 'is stopped' : 'was not running'}.\n`,
  );
}
