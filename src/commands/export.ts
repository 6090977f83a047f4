import { writeWhole } from '../archive/file.ts';
import { writeArchive } from '../archive/write.ts';
import { packageRoot, readConfig } from '../config.ts';
import { archiving, besides, nameOf, printTotals, say } from './archiving.ts';
import { readBuild } from './build.ts';
import { parseArguments } from './command.ts';

export const usage = 'FILE [--force] [--json]';

const options = { force: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** `parley export`: every row of every tenant as of one moment, in one file; `-` is stdout. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['FILE']);
  const [file = ''] = positionals;
  const config = readConfig();
  const { version: parleyVersion } = readBuild(packageRoot, config.gitSha);
  const name = nameOf(file, 'stdout');
  const totals = await archiving(`export to ${name}`, ({ withSession }) =>
    writeWhole(file, values['force'] === true, (sink) =>
      withSession(config, 'read', (session) => writeArchive(session, { parleyVersion, sink, say })),
    ),
  );
  printTotals(`Exported to ${name}`, { file, totals, asJson: values['json'] === true }, besides(file));
}
