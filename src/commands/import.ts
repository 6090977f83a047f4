import { loadArchive } from '../archive/load.ts';
import { openPlain } from '../archive/passphrase.ts';
import { openArchive } from '../archive/read.ts';
import { readConfig } from '../config.ts';
import { archiving, nameOf, printTotals, requireSecretKeys, say } from './archiving.ts';
import { parseArguments } from './command.ts';
import { storedSecrets } from './home-secrets.ts';

export const usage = 'FILE [--json]';

/** `parley import`: loads an export into an empty database, all of it or nothing; `-` is stdin. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } }, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const name = nameOf(file, 'stdin');
  const totals = await archiving(`import ${name}`, async ({ signal, withSession, finish }) => {
    const archive = await openArchive(file, openPlain, signal);
    requireSecretKeys(
      archive.header.sealedWith,
      config.secretKeys ?? storedSecrets(config.home),
      "set PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_PREVIOUS to its source's, or use parley backup and restore",
    );
    return withSession(config, 'write', (session) =>
      loadArchive(session, archive, { beforeCommit: finish, say }),
    );
  });
  printTotals(`Imported ${name}`, { file, totals, asJson: values['json'] === true });
}
