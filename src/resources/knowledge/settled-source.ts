import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundState, SettlingContext } from '../../environment/mcp-view.ts';
import type { KnowledgeSource } from './source-store.ts';

/** Bytes of a file that takes a worker about a second. */
const shortFile = 262_144;
/** Milliseconds between two reads of a source. */
const interval = 150;
/** Milliseconds until a worker should have begun: it checks for jobs once a second. A busy one begins later. */
const longestStart = 3_000;
/** Milliseconds until the call returns, whatever the state. */
const longestWait = 10_000;

/**
 * Waits until the indexing of a short file has ended, at most 10 seconds, and 3 if no worker begins. Does not wait for a
 * website, for a longer file, or if no worker runs.
 * @returns the source as it was read last; undefined if it is gone
 */
export async function settledSource(
  sourceId: string,
  { stores, signal, progress }: SettlingContext,
): Promise<KnowledgeSource | undefined> {
  const began = performance.now();
  let shown = 0;
  for (;;) {
    const run = await stores.knowledgeSources.run(sourceId);
    if (!run) return undefined;
    const { source, fileBytes, hasBegun, hasWorker } = run;
    if (source.progress !== shown) await progress({ source: source.name, progress: source.progress });
    shown = source.progress;
    const waited = performance.now() - began;
    const isOver = waited > longestWait || (!hasBegun && waited > longestStart);
    const isWorthwhile = hasWorker && fileBytes !== null && fileBytes <= shortFile;
    if (source.indexingStatus !== 'inProgress' || isOver || !isWorthwhile) return source;
    await sleep(interval, undefined, { signal });
  }
}

/** The progress of a call that waits, in words. */
export function indexingProgress({ source, progress }: Readonly<Record<string, unknown>>): string {
  return `Indexing ${String(source)}: ${Number(progress)} %`;
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
