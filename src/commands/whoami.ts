import { organizationOf } from '../store/operators.ts';
import { parseArguments, printRecord, UsageError } from './command.ts';
import { identify, localUrl, withCore } from './open.ts';

export const usage = '[--json | --field NAME]';

const fields = ['url', 'organizationId', 'projectId', 'keyId', 'key'];

/** `parley whoami`: the credentials in use. The key itself is shown only where it is asked for. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' }, field: { type: 'string' } });
  const { json, field } = values;
  if (typeof field === 'string' && !fields.includes(field))
    throw new UsageError(`--field takes one of ${fields.join(', ')}`);
  await withCore(async (core, config) => {
    const { key, caller } = await identify(core, config);
    const { projectId, keyId, scope, access } = caller;
    const organizationId = await organizationOf(core.knex, projectId);
    const credentials = { url: localUrl(config), organizationId, projectId, keyId, key };
    if (typeof field === 'string')
      process.stdout.write(`${String(credentials[field as keyof typeof credentials])}\n`);
    else if (json) printRecord(credentials, true);
    else printRecord({ ...credentials, key: `${key.slice(0, 14)}…`, scope, access: [...access] }, false);
  });
}
