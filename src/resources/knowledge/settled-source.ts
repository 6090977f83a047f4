import { setTimeout as sleep } from 'node:timers/promises';
import type { KnowledgeSource } from '../../store/knowledge-sources.ts';
import type { BackgroundState, SettlingContext } from '../../tool/define.ts';

/** Milliseconds between two reads of a source. */
const interval = 150;
/** Milliseconds until a worker should have begun: it checks for jobs once a second. Without a worker, waiting is in vain. */
const longestStart = 3_000;
/** Milliseconds until the call returns, whatever the state. */
const longestWait = 10_000;

/**
 * Waits until the indexing of a source has ended, at most 10 seconds, and no longer than 3 if no worker begins.
 * @returns the source as it was read last
 */
export async function settledSource(
  added: KnowledgeSource,
  { stores, signal, progress }: SettlingContext,
): Promise<KnowledgeSource> {
  const began = performance.now();
  let source = added;
  while (source.indexingStatus === 'inProgress') {
    await sleep(interval, undefined, { signal });
    const run = await stores.knowledgeSources.run(added.id);
    if (!run) return source;
    if (run.source.progress !== source.progress)
      await progress({ source: source.name, progress: run.source.progress });
    source = run.source;
    const waited = performance.now() - began;
    if (waited > longestWait || (!run.hasWorker && waited > longestStart)) return source;
  }
  return source;
}

/** How far the indexing of a source is. */
export function indexingState(source: KnowledgeSource): BackgroundState {
  const { name, indexingStatus, progress } = source;
  return {
    hasEnded: indexingStatus !== 'inProgress',
    value: { ...source },
    message: `Indexing ${name}: ${progress} %`,
  };
}
