import { loadArchive } from '../../archive/load.ts';
import { openPlain } from '../../archive/passphrase.ts';
import { openArchive } from '../../archive/read.ts';
import { readConfig } from '../../platform/config/config.ts';
import {
  nameOf,
  printTotals,
  reportProgress,
  requireSecretKeys,
  runArchiveCommand,
} from '../archive-command.ts';
import { parseArguments } from '../command.ts';
import { storedSecretKeys } from '../home/secret-keys.ts';

export const usage = 'FILE [--json]';
export const summary = 'Loads an export into an empty database, completely or not at all';
export const details = 'FILE may be - for stdin. The secret key must be that of the exporting installation.';

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } }, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const name = nameOf(file, 'stdin');
  const totals = await runArchiveCommand(`import ${name}`, async ({ signal, withSession, finish }) => {
    const archive = await openArchive(file, openPlain, signal);
    requireSecretKeys(
      archive.header.sealedWith,
      config.secretKeys ?? storedSecretKeys(config.home),
      'Set PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_PREVIOUS to that of the source, or use parley backup and restore.',
    );
    return withSession(config, 'write', (session) =>
      loadArchive(session, archive, { beforeCommit: finish, report: reportProgress }),
    );
  });
  printTotals(`Imported ${name}`, { file, totals, asJson: values['json'] === true });
}
