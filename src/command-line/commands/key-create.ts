import { type Access, accesses, keyScopes, keyTypes } from '../../operation/access.ts';
import { mintKey } from '../../resources/keys/key.ts';
import { storesIn } from '../../resources/project-stores.ts';
import { organizationOf } from '../../resources/projects/provisioning.ts';
import {
  CommandError,
  type OptionValues,
  parseArguments,
  printRecord,
  requiredOption,
  textOption,
  UsageError,
  wordOption,
} from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = '--project ID --name N --scope S [--type T] [--access read,draft] [--json]';
export const summary = 'Creates a key for a project, and prints it once';
export const details = `--project is the id of a project; parley whoami --field projectId prints that of the demo. --name describes the key.
S is one of ${keyScopes.join(', ')}. T is secret (the default) or publishable.
--access allows less than the scope does: any of ${accesses.join(', ')}, separated by commas.`;

const options = {
  project: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string' },
  type: { type: 'string' },
  access: { type: 'string' },
  json: { type: 'boolean' },
} as const;

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
      throw new CommandError(`There is no project ${projectId} in this database.`);
    const { text: key, ...stored } = mintKey(keyType);
    const { id } = await storesIn(knex, projectId).keys.create({ name, keyType, scope, access, ...stored });
    return { id, key };
  });
  printRecord(record, values['json'] === true);
}

function accessOption(values: OptionValues): Access[] | null {
  const text = textOption(values, 'access');
  if (text === undefined) return null;
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !accesses.includes(word as Access));
  if (unknown.length)
    throw new UsageError(
      `--access takes ${accesses.join(', ')}, separated by commas; not "${unknown.join('", "')}".`,
    );
  return words as Access[];
}
