import { writeWhole } from '../../archive/file.ts';
import { sealWith } from '../../archive/passphrase.ts';
import { writeArchive } from '../../archive/write.ts';
import { readConfig } from '../../platform/config/config.ts';
import {
  nameOf,
  printTotals,
  reportProgress,
  requireSecretKeys,
  runArchiveCommand,
  totalsStream,
} from '../archive-command.ts';
import { readBuild } from '../build-info.ts';
import { parseArguments } from '../command.ts';
import { thisInstallation } from '../installation.ts';
import { readPassphrase } from '../passphrase-option.ts';

export const usage = 'FILE [--passphrase-file F] [--force] [--json]';
export const summary = 'Writes an encrypted export that also holds the secret key and the credentials';
export const details = `FILE may be - for stdout. The passphrase is the text of the file F, or PARLEY_BACKUP_PASSPHRASE.
--force replaces an existing FILE.`;

const options = {
  'passphrase-file': { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const seal = sealWith(readPassphrase(config, values));
  const { version: parleyVersion } = readBuild(config.gitSha);
  const name = nameOf(file, 'stdout');
  const totals = await runArchiveCommand(`back up to ${name}`, ({ withSession }) =>
    writeWhole(file, values['force'] === true, (sink) =>
      withSession(config, 'read', (session) => {
        const installation = thisInstallation(config);
        const checkKeys = (sealedWith: readonly string[]) =>
          requireSecretKeys(
            sealedWith,
            installation.secretKeys,
            'Set PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_PREVIOUS to it.',
          );
        return writeArchive(session, {
          parleyVersion,
          installation,
          checkKeys,
          sink: (bytes) => sink(seal(bytes)),
          report: reportProgress,
        });
      }),
    ),
  );
  printTotals(`Backed up to ${name}`, { file, totals, asJson: values['json'] === true }, totalsStream(file));
}
