import { readConfig } from '../config.ts';
import { CommandError, parseArguments } from './command.ts';
import { troubleOf } from './trouble.ts';

export const usage = '';

/**
 * `parley stop`: stops the embedded Postgres of this home, whoever still uses it. A process that runs on starts it
 * again, since it would be of no use without a database.
 */
export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const { databaseUrl, home } = readConfig();
  if (databaseUrl !== undefined)
    throw new CommandError('DATABASE_URL is set: there is no embedded Postgres to stop');
  const { stopEmbedded } = await import('../db/embedded.ts');
  const users = await stopEmbedded(home).catch((error: unknown) => {
    throw troubleOf(error);
  });
  process.stdout.write(`${outcome(users)}\n`);
}

function outcome(users: readonly number[] | undefined): string {
  if (users === undefined) return 'The embedded Postgres was not running.';
  if (users.length === 0) return 'The embedded Postgres is stopped.';
  const [who, them] =
    users.length === 1 ? [`process ${users[0]}`, 'it'] : [`processes ${users.join(', ')}`, 'them'];
  return `The embedded Postgres was stopped, but still in use by ${who}, which will start it again: end ${them}, and it stops by itself.`;
}
