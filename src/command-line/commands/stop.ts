import { readConfig } from '../../platform/config/config.ts';
import { CommandError, parseArguments } from '../command.ts';
import { asCommandError } from '../expected-errors.ts';

export const usage = '';
export const summary = 'Stops the embedded Postgres of PARLEY_HOME';
export const details =
  'Processes that still use it start it again, because they need a database. Stop them first.';

export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const { databaseUrl, home } = readConfig();
  if (databaseUrl !== undefined)
    throw new CommandError(
      'DATABASE_URL is set, so Parley uses no embedded Postgres. Unset it to stop the one in PARLEY_HOME.',
    );
  const { stopEmbedded } = await import('../../postgres/embedded/embedded.ts');
  const users = await stopEmbedded(home).catch((error: unknown) => {
    throw asCommandError(error);
  });
  process.stdout.write(`${outcome(users)}\n`);
}

/** @param users the ids of the processes that used it; undefined if it was not running */
function outcome(users: readonly number[] | undefined): string {
  if (users === undefined) return 'The embedded Postgres was not running.';
  if (users.length === 0) return 'The embedded Postgres is stopped.';
  const one = users.length === 1;
  const processes = `${one ? 'process' : 'processes'} ${users.join(', ')}`;
  return `The embedded Postgres was stopped, but ${processes} still ${one ? 'uses' : 'use'} it and will start it again. Stop ${one ? 'that process' : 'those processes'}, and it stops by itself.`;
}
