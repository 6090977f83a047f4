import { CommandError, parseArguments } from '../command-line/command.ts';
import { open } from '../command-line/open-core.ts';
import { startIndexing } from '../command-line/start-indexing.ts';
import { untilStopped } from '../command-line/stop-signal.ts';
import { readConfig } from '../config/config.ts';
import { flushLog, openLog } from '../log.ts';

export const usage = '';
export const summary = 'Indexes knowledge sources until SIGTERM or SIGINT, and serves nothing';

export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const config = readConfig();
  if (config.workers === 0)
    throw new CommandError(
      'PARLEY_WORKERS=0 turns indexing off. Unset it, or set it to the number of sources to index at once.',
    );
  // Before the database opens, because a signal must not end the process halfway through the start.
  const stopped = untilStopped();
  const log = openLog({ buffered: true });
  const core = await open(config, log, config.connections);
  try {
    const { workers: atOnce, fetchAllow } = config;
    const workers = await startIndexing(core, { atOnce, fetchAllow }, log);
    log.info({ atOnce, version: core.runtime.build.version }, 'indexing');
    await stopped;
    await workers.stop();
  } finally {
    await core.close();
    await flushLog(log);
  }
}
