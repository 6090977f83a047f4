import { mintKey } from '../auth/key.ts';
import { organizationOf } from '../store/operators.ts';
import { storesIn } from '../store/stores.ts';
import { type Access, accesses, keyScopes, keyTypes } from '../tool/access.ts';
import {
  CommandError,
  parseArguments,
  printRecord,
  requiredOption,
  textOption,
  UsageError,
  type Values,
  wordOption,
} from './command.ts';
import { withCore } from './open.ts';

export const usage = '--project ID --name N --scope S [--type T] [--access read,draft] [--json]';

const options = {
  project: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string' },
  type: { type: 'string' },
  access: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** `parley key create`: a key of a project, shown this once. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, options);
  const projectId = requiredOption(values, 'project');
  const name = requiredOption(values, 'name');
  requiredOption(values, 'scope');
  const scope = wordOption(values, 'scope', keyScopes) ?? 'service_app';
  const keyType = wordOption(values, 'type', keyTypes) ?? 'secret';
  const access = accessOption(values);
  const record = await withCore(async ({ knex }) => {
    if ((await organizationOf(knex, projectId)) === undefined)
      throw new CommandError(`there is no project ${projectId}`);
    const { text: key, ...stored } = mintKey(keyType);
    const { id } = await storesIn(knex, projectId).keys.create({ name, keyType, scope, access, ...stored });
    return { id, key };
  });
  printRecord(record, values['json'] === true);
}

function accessOption(values: Values): Access[] | null {
  const text = textOption(values, 'access');
  if (text === undefined) return null;
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.filter((word) => !accesses.includes(word as Access));
  if (wrong.length)
    throw new UsageError(
      `--access takes ${accesses.join(', ')}, separated by commas; not ${wrong.join(', ')}`,
    );
  return words as Access[];
}
