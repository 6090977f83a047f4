import { writeWhole } from '../../archive/file.ts';
import { writeArchive } from '../../archive/write.ts';
import { readConfig } from '../../platform/config/config.ts';
import { nameOf, printTotals, reportProgress, runArchiveCommand, totalsStream } from '../archive-command.ts';
import { readBuild } from '../build-info.ts';
import { parseArguments } from '../command.ts';

export const usage = 'FILE [--force] [--json]';
export const summary = 'Writes all rows of all projects, as of one moment, to one file';
export const details = `FILE may be - for stdout. --force replaces an existing FILE.
Stored secrets stay encrypted with this installation's secret key, which the file does not contain.`;

const options = { force: { type: 'boolean' }, json: { type: 'boolean' } } as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const { version: parleyVersion } = readBuild(config.gitSha);
  const name = nameOf(file, 'stdout');
  const totals = await runArchiveCommand(`export to ${name}`, ({ withSession }) =>
    writeWhole(file, values['force'] === true, (sink) =>
      withSession(config, 'read', (session) =>
        writeArchive(session, { parleyVersion, sink, report: reportProgress }),
      ),
    ),
  );
  printTotals(`Exported to ${name}`, { file, totals, asJson: values['json'] === true }, totalsStream(file));
}
