import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/log.ts';
import { readVersion } from './package-version.ts';

/** Traces this process if OTEL_EXPORTER_OTLP_ENDPOINT is set. Returns a function that sends the last spans. */
export async function traceIfWanted({ traces }: Config, log: Log): Promise<() => Promise<void>> {
  if (!traces) return async () => undefined;
  const { openTracing } = await import('../platform/tracing/open-tracing.ts');
  return openTracing(readVersion(), log);
}
