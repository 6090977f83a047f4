import { mintKey } from '../auth/key.ts';
import { createOrganization, createProject, organizationExists } from '../store/operators.ts';
import { storesIn } from '../store/stores.ts';
import {
  CommandError,
  parseArguments,
  printRecord,
  requiredOption,
  textOption,
  UsageError,
  wordOption,
} from './command.ts';
import { withCore } from './open.ts';

export const usage =
  '--name N [--organization ID | --new-organization NAME] [--plan P] [--mode M] [--type T] [--json]';

const options = {
  name: { type: 'string' },
  organization: { type: 'string' },
  'new-organization': { type: 'string' },
  plan: { type: 'string' },
  mode: { type: 'string' },
  type: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** `parley project create`: a project and its first key, a secret one of scope `platform`. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, options);
  const name = requiredOption(values, 'name');
  const existing = textOption(values, 'organization');
  const fresh = textOption(values, 'new-organization');
  if (existing !== undefined && fresh !== undefined)
    throw new UsageError('--organization and --new-organization exclude each other');
  const plan = wordOption(values, 'plan', ['free', 'starter', 'growth', 'pro', 'enterprise']);
  const mode = wordOption(values, 'mode', ['simple', 'advanced']);
  const type = wordOption(values, 'type', ['hotline', 'platform']);
  const record = await withCore(({ knex }) =>
    knex.transaction(async (trx) => {
      if (existing !== undefined && !(await organizationExists(trx, existing)))
        throw new CommandError(`there is no organization ${existing}`);
      const organizationId = existing ?? (await createOrganization(trx, fresh ?? name));
      const projectId = await createProject(trx, { name, organizationId, plan, mode, type });
      const { text: key, ...stored } = mintKey('secret');
      const { keys } = storesIn(trx, projectId);
      const record = { name: 'First key', keyType: 'secret', scope: 'platform' } as const;
      const { id: keyId } = await keys.create({ ...record, ...stored });
      return { organizationId, projectId, keyId, key };
    }),
  );
  printRecord(record, values['json'] === true);
}
