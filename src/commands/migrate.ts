import { parseArguments } from './command.ts';
import { withCore } from './open.ts';

export const usage = '';

/** `parley migrate`: brings the schema of the database up to date, as every start does. */
export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  await withCore(async () => void process.stdout.write('The schema is up to date.\n'));
}
