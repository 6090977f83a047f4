import type { Core } from '../core.ts';
import { keepEmbedding } from '../jobs/embedding-worker.ts';
import { startWorkers, type Workers } from '../jobs/indexing-workers.ts';
import { openExtractor } from '../knowledge/extraction/extractor.ts';
import { openWall } from '../knowledge/fetch/wall.ts';
import { indexing } from '../knowledge/indexing.ts';
import type { Log } from '../log.ts';
import { claimRun } from '../store/knowledge-runs.ts';

export interface IndexingOptions {
  /** Sources at once. */
  readonly atOnce: number;
  /** `host:port` of sites that may be fetched wherever they are. */
  readonly fetchAllow: readonly string[];
  /** Seconds until another attempt, one for each after the first. */
  readonly backoff?: readonly number[];
}

/** Indexes sources in this process until it is stopped. */
export async function startIndexing(
  { knex, embed, runtime }: Core,
  { atOnce, fetchAllow, ...options }: IndexingOptions,
  log: Log,
): Promise<Workers> {
  const { build, services } = runtime;
  const wall = openWall({ allow: fetchAllow, log, version: build.version });
  const extractor = openExtractor();
  const index = indexing({
    claim: (source) => claimRun(knex, source),
    wall,
    extractor,
    open: ({ projectId, sourceId }, sealed) =>
      services.open({ projectId }, 'knowledge_files', sourceId, sealed),
  });
  const close = () => Promise.all([wall.close(), extractor.close()]);
  try {
    const workers = await startWorkers({ knex, atOnce, index, log, ...options });
    const embedding = embed && keepEmbedding({ knex, embed, log });
    return {
      async stop() {
        await Promise.all([workers.stop(), embedding?.stop()]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
