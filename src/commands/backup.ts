import { writeWhole } from '../archive/file.ts';
import { sealWith } from '../archive/passphrase.ts';
import { writeArchive } from '../archive/write.ts';
import { packageRoot, readConfig } from '../config.ts';
import { archiving, besides, nameOf, printTotals, requireSecretKeys, say } from './archiving.ts';
import { readBuild } from './build.ts';
import { parseArguments } from './command.ts';
import { thisInstallation } from './installation.ts';
import { passphraseOf } from './passphrase.ts';

export const usage = 'FILE [--passphrase-file F] [--force] [--json]';

const options = {
  'passphrase-file': { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `parley backup`: an export and the secrets of this installation, encrypted with a passphrase. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const seal = sealWith(passphraseOf(config, values));
  const { version: parleyVersion } = readBuild(packageRoot, config.gitSha);
  const name = nameOf(file, 'stdout');
  const totals = await archiving(`back up to ${name}`, ({ withSession }) =>
    writeWhole(file, values['force'] === true, (sink) =>
      withSession(config, 'read', (session) => {
        const installation = thisInstallation(config);
        const checkKeys = (sealedWith: readonly string[]) =>
          requireSecretKeys(
            sealedWith,
            installation.secretKeys,
            'set PARLEY_SECRET_KEY, or PARLEY_SECRET_KEY_PREVIOUS, to it',
          );
        return writeArchive(session, {
          parleyVersion,
          installation,
          checkKeys,
          sink: (bytes) => sink(seal(bytes)),
          say,
        });
      }),
    ),
  );
  printTotals(`Backed up to ${name}`, { file, totals, asJson: values['json'] === true }, besides(file));
}
