import { readConfig } from '../../platform/config/config.ts';
import { flushLog, openLog } from '../../platform/log.ts';
import { Readiness } from '../../transports/http/readiness.ts';
import { CommandError, parseArguments } from '../command.ts';
import { exitWithin } from '../exit-within.ts';
import { open } from '../open-core.ts';
import { openOps } from '../open-ops.ts';
import { startIndexing } from '../start-indexing.ts';
import { untilStopped } from '../stop-signal.ts';
import { traceIfWanted } from '../trace.ts';

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
  const log = openLog({ buffered: true });
  const readiness = new Readiness();
  const stopped = untilStopped().then(() => {
    readiness.startDraining();
    return exitWithin(config.drainSeconds * 1000, log);
  });
  const closeTracing = await traceIfWanted(config, log);
  const ops = await openOps(config, readiness, log);
  const core = await open(config, log, config.connections, ops?.upstreams);
  try {
    const { workers: atOnce, fetchAllow, production } = config;
    const workers = await startIndexing(core, { atOnce, fetchAllow, trial: !production }, log);
    log.info({ atOnce, version: core.runtime.build.version }, 'indexing');
    ops?.opened(core.state);
    await stopped;
    await workers.stop();
  } finally {
    await core.close();
    await closeTracing();
    ops?.close();
    await flushLog(log);
  }
  // Lines that nobody reads would keep the process alive.
  process.exit();
}
