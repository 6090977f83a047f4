import { ArchiveError } from '../../archive/archive-error.ts';
import { loadArchive } from '../../archive/load.ts';
import { openWith } from '../../archive/passphrase.ts';
import { openArchive } from '../../archive/read.ts';
import { readConfig } from '../../platform/config/config.ts';
import { nameOf, printTotals, reportProgress, runArchiveCommand } from '../archive-command.ts';
import { parseArguments } from '../command.ts';
import { planInstallation } from '../installation.ts';
import { readPassphrase } from '../passphrase-option.ts';

export const usage = 'FILE [--passphrase-file F] [--json]';
export const summary = 'Loads a backup into an empty database and PARLEY_HOME, completely or not at all';
export const details =
  'FILE may be - for stdin. The passphrase is the text of the file F, or PARLEY_BACKUP_PASSPHRASE.\nKeys and stored secrets work as before.';

const options = { 'passphrase-file': { type: 'string' }, json: { type: 'boolean' } } as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const stage = openWith(readPassphrase(config, values));
  const name = nameOf(file, 'stdin');
  const totals = await runArchiveCommand(`restore ${name}`, async ({ signal, withSession, finish }) => {
    const archive = await openArchive(file, stage, signal);
    const { installation, sealedWith } = archive.header;
    if (!installation) throw new ArchiveError('its header is damaged: it has no secrets');
    const plan = planInstallation(config, installation, sealedWith);
    const beforeCommit = () => {
      finish();
      plan.write();
    };
    try {
      return await withSession(config, 'write', (session) =>
        loadArchive(session, archive, { beforeCommit, report: reportProgress }),
      );
    } catch (error) {
      plan.undo();
      throw error;
    }
  });
  printTotals(`Restored ${name}`, { file, totals, asJson: values['json'] === true });
}
