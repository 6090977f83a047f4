import type { CoreState } from '../core/core.ts';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/log.ts';
import type { TurnMetrics } from '../resources/sessions/playing/sessions.ts';
import type { UpstreamMetrics } from '../services/models/upstream.ts';
import type { Readiness } from '../transports/http/readiness.ts';
import type { RequestMetrics } from '../transports/http/request-metrics.ts';
import { readBuild } from './build-info.ts';
import { listenOn } from './listen.ts';

/** The port of an operator's probes and charts. It stays open until the process ends, also while a stop drains. */
export interface Ops {
  readonly requests: RequestMetrics;
  readonly upstreams: UpstreamMetrics;
  readonly turns: TurnMetrics;
  /** From now on, readiness depends on the database, and the metrics show this core. */
  opened(state: CoreState): void;
  close(): void;
}

/** Opens PARLEY_OPS_PORT, if it is set. Call it before the database opens: a process that waits for it is alive. */
export async function openOps(
  { opsPort, host, gitSha }: Config,
  readiness: Readiness,
  log: Log,
): Promise<Ops | undefined> {
  if (opsPort === undefined) return undefined;
  // Loaded here, because most processes have no such port.
  const [{ openMetrics }, { ReadinessCheck }, { opsServer }] = await Promise.all([
    import('../transports/ops/metrics.ts'),
    import('../transports/ops/readiness-check.ts'),
    import('../transports/ops/server.ts'),
  ]);
  const metrics = openMetrics(readBuild(gitSha));
  const check = new ReadinessCheck(readiness);
  const server = opsServer(check, metrics, log);
  // The port must not keep a process alive whose start has failed.
  server.unref().on('connection', (socket) => socket.unref());
  await listenOn(server, host, opsPort, 'PARLEY_OPS_PORT');
  const { requests, upstreams, turns } = metrics;
  return {
    requests,
    upstreams,
    turns,
    opened(state) {
      metrics.measure(state);
      check.opened(() => state.isMigrated());
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
