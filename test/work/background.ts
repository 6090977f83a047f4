import type pg from 'pg';
import pino from 'pino';
import { openIndexing } from '../../src/command-line/start-indexing.ts';
import type { Core } from '../../src/core/core.ts';
import { bossOn, type IndexingJob, indexingQueueName } from '../../src/jobs/boss.ts';
import { removeBatch } from '../../src/resources/knowledge/removals.ts';
import { writeSearchTexts } from '../../src/resources/search/search-texts.ts';
import { UsageRecorder } from '../../src/resources/usage/recorder.ts';

const log = pino({ level: 'silent' });
const fail = (line: string) => {
  throw new Error(line);
};

/** Milliseconds. Usage is written only if it is asked for. */
const never = 2 ** 31 - 1;

/** What waits for a worker, by its kind. */
const queues = `
  select exists (select from pgboss.job where state < 'active') as indexing,
    exists (select from knowledge_removals) as removal,
    exists (select from flow_versions where search_text is null)
      or exists (select from conversation_versions where search_text is null) as "searchText"`;

/**
 * Does on request what the calls of a core leave for later. In production, timers start it: workers look for jobs every
 * second, and usage is written every second.
 */
export function openBackground(core: Core, session: pg.Client) {
  const { knex } = core;
  let usage = new UsageRecorder(knex, fail, never);
  Object.assign(core.runtime.services, {
    meter: ({ projectId }, uses) => usage.note(projectId, uses),
  } satisfies Partial<Core['runtime']['services']>);
  const indexing = openIndexing(core, { fetchAllow: [] }, log);

  /** Takes the jobs that wait, as a worker does that finds them at once. */
  async function index(): Promise<void> {
    const boss = await bossOn(knex);
    for (const { id, data } of await boss.fetch<IndexingJob>(indexingQueueName, { batchSize: 100 })) {
      const terms = { signal: new AbortController().signal, isOver: () => false, isLast: true };
      const { state } = await indexing.index(data, terms);
      if (state !== 'done') fail(`a source of an example is not indexed: ${state}`);
      await boss.complete(indexingQueueName, id);
    }
  }

  return {
    /** Returns what does the work that waits now, until nothing is left; undefined if nothing waits. */
    async waiting(): Promise<(() => Promise<void>) | undefined> {
      const { rows } = await session.query<Record<'indexing' | 'removal' | 'searchText', boolean>>(queues);
      const [queued] = rows;
      if (usage.unwritten === 0 && !queued?.indexing && !queued?.removal && !queued?.searchText)
        return undefined;
      return async () => {
        if (usage.unwritten > 0) {
          await usage.close();
          usage = new UsageRecorder(knex, fail, never);
        }
        if (queued?.indexing) await index();
        if (queued?.removal) while (await removeBatch(knex));
        if (queued?.searchText) while (await writeSearchTexts(knex));
      };
    },

    close: () => indexing.close(),
  };
}
