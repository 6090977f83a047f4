import { readConfig } from '../config.ts';
import { flushLog, openLog } from '../log.ts';
import { CommandError, parseArguments } from './command.ts';
import { startIndexing } from './indexing.ts';
import { open } from './open.ts';
import { untilStopped } from './stop-signal.ts';

export const usage = '';

/** `parley worker`: indexes sources until SIGTERM or SIGINT, and serves nothing. */
export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const config = readConfig();
  if (config.workers === 0)
    throw new CommandError(
      'PARLEY_WORKERS=0 leaves nothing to do: unset it, or say how many sources at once',
    );
  // Before anything is opened: a signal in the middle of the start must not end it half-way.
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
