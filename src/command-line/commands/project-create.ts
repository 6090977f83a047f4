import { mintKey } from '../../resources/keys/key.ts';
import { storesIn } from '../../resources/project-stores.ts';
import {
  createOrganization,
  createProject,
  organizationExists,
} from '../../resources/projects/provisioning.ts';
import {
  CommandError,
  parseArguments,
  printRecord,
  requiredOption,
  textOption,
  UsageError,
  wordOption,
} from '../command.ts';
import { withCore } from '../open-core.ts';

const plans = ['free', 'starter', 'growth', 'pro', 'enterprise'] as const;
const modes = ['simple', 'advanced'] as const;
const types = ['hotline', 'platform'] as const;

export const usage =
  '--name N [--organization ID | --new-organization NAME] [--plan P] [--mode M] [--type T] [--json]';
export const summary = 'Creates a project and its first key, a secret one of scope platform';
export const details = `Without --organization, creates an organization too, named NAME or else N.
P is one of ${plans.join(', ')}. M is ${modes.join(' or ')}. T is ${types.join(' or ')}.`;

const options = {
  name: { type: 'string' },
  organization: { type: 'string' },
  'new-organization': { type: 'string' },
  plan: { type: 'string' },
  mode: { type: 'string' },
  type: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, options);
  const name = requiredOption(values, 'name');
  const existing = textOption(values, 'organization');
  const newName = textOption(values, 'new-organization');
  if (existing !== undefined && newName !== undefined)
    throw new UsageError('--organization and --new-organization exclude each other. Name one.');
  const plan = wordOption(values, 'plan', plans);
  const mode = wordOption(values, 'mode', modes);
  const type = wordOption(values, 'type', types);
  const record = await withCore(({ knex }) =>
    knex.transaction(async (trx) => {
      if (existing !== undefined && !(await organizationExists(trx, existing)))
        throw new CommandError(`There is no organization ${existing} in this database.`);
      const organizationId = existing ?? (await createOrganization(trx, newName ?? name));
      const projectId = await createProject(trx, { name, organizationId, plan, mode, type });
      const { text: key, ...stored } = mintKey('secret');
      const { keys } = storesIn(trx, projectId);
      const attributes = { name: 'First key', keyType: 'secret', scope: 'platform' } as const;
      const { id: keyId } = await keys.create({ ...attributes, ...stored });
      return { organizationId, projectId, keyId, key };
    }),
  );
  printRecord(record, values['json'] === true);
}
