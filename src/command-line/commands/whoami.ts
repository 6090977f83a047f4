import { localUrl } from '../../platform/config/config.ts';
import { organizationOf } from '../../resources/projects/provisioning.ts';
import { parseArguments, printRecord, UsageError } from '../command.ts';
import { identify, withCore } from '../open-core.ts';

export const usage = '[--json | --field NAME]';
export const summary = 'Prints the credentials in use, or one member of them';
export const details = `On an empty database, makes the demo first. Shortens the key, unless --json or --field key asks for it.
NAME is one of url, organizationId, projectId, keyId, key.`;

const fields = ['url', 'organizationId', 'projectId', 'keyId', 'key'];

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' }, field: { type: 'string' } });
  const { json, field } = values;
  if (typeof field === 'string' && !fields.includes(field))
    throw new UsageError(`--field takes one of ${fields.join(', ')}.`);
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
