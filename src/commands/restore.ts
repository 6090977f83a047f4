import { ArchiveError } from '../archive/archive-error.ts';
import { loadArchive } from '../archive/load.ts';
import { openWith } from '../archive/passphrase.ts';
import { openArchive } from '../archive/read.ts';
import { readConfig } from '../config.ts';
import { archiving, nameOf, printTotals, say } from './archiving.ts';
import { parseArguments } from './command.ts';
import { planInstallation } from './installation.ts';
import { passphraseOf } from './passphrase.ts';

export const usage = 'FILE [--passphrase-file F] [--json]';

const options = { 'passphrase-file': { type: 'string' }, json: { type: 'boolean' } } as const;

/** `parley restore`: loads a backup into an empty database and its secrets into PARLEY_HOME, all or nothing. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const stage = openWith(passphraseOf(config, values));
  const name = nameOf(file, 'stdin');
  const totals = await archiving(`restore ${name}`, async ({ signal, withSession, finish }) => {
    const archive = await openArchive(file, stage, signal);
    const { installation, sealedWith } = archive.header;
    if (!installation) throw new ArchiveError('it is damaged in its header: it has no secrets');
    const plan = planInstallation(config, installation, sealedWith);
    const beforeCommit = () => {
      finish();
      plan.write();
    };
    try {
      return await withSession(config, 'write', (session) =>
        loadArchive(session, archive, { beforeCommit, say }),
      );
    } catch (error) {
      plan.undo();
      throw error;
    }
  });
  printTotals(`Restored ${name}`, { file, totals, asJson: values['json'] === true });
}
