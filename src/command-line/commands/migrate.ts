import { parseArguments } from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = '';
export const summary = 'Brings the database schema up to date, as every start does';

export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  await withCore(async () => void process.stdout.write('The schema is up to date.\n'));
}
