import type { Core } from '../core/core.ts';
import { startEmbedding } from '../jobs/embedding-worker.ts';

import { startWorkers, type Workers } from '../jobs/indexing-workers.ts';
import type { Log } from '../platform/log.ts';
import { openExtractor } from '../resources/knowledge/extraction/extractor.ts';
import { openWall } from '../resources/knowledge/fetch/wall.ts';
import { indexing } from '../resources/knowledge/indexing.ts';
import { claimRun } from '../resources/knowledge/runs.ts';

export interface IndexingOptions {
  /** The number of sources that are indexed at the same time. */
  readonly atOnce: number;
  /** Each `host:port` that may be fetched on any network. */
  readonly fetchAllow: readonly string[];
  /** Whether errors explain PARLEY_FETCH_ALLOW, which production rejects. */
  readonly trial?: boolean | undefined;
  /** Seconds before each retry. */
  readonly backoff?: readonly number[];
}

/** Indexes knowledge sources in this process until it is stopped. */
export async function startIndexing(
  core: Core,
  { atOnce, fetchAllow, trial, ...options }: IndexingOptions,
  log: Log,
): Promise<Workers> {
  const { knex, embed } = core;
  const { index, close } = openIndexing(core, { fetchAllow, trial }, log);
  try {
    const workers = await startWorkers({ knex, atOnce, index, log, ...options });
    const embedding = embed && startEmbedding({ knex, embed, log });
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

/** Returns what indexes a part of a source, and what closes that. */
export function openIndexing(
  { knex, runtime, threads }: Core,
  { fetchAllow, trial }: Pick<IndexingOptions, 'fetchAllow' | 'trial'>,
  log: Log,
) {
  const { build, services } = runtime;
  const wall = openWall({ allow: fetchAllow, trial, log, version: build.version });
  const extractor = openExtractor(threads);
  const index = indexing({
    claim: (source) => claimRun(knex, source),
    wall,
    extractor,
    open: ({ projectId, sourceId }, sealed) =>
      services.openFile({ projectId }, 'knowledge_files', sourceId, sealed),
  });
  const close = async () => {
    extractor.close();
    await wall.close();
  };
  return { index, close };
}
