import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Laboratory } from '../helpers/laboratory.ts';
import type { LocalSite } from '../resources/knowledge/local-site.ts';

/** The phases of a crawl in which a trial can kill the worker. */
export const phases = ['fetching', 'extracting', 'writing', 'between pages', 'finishing'] as const;
export type Phase = (typeof phases)[number];

/** Triggers that hold a statement inside its transaction if `crawl_gate` names its phase. */
const gates = `
  create table crawl_gate (phase text primary key);
  create function crawl_wait() returns trigger language plpgsql as $$
    begin
      if exists (select from crawl_gate where phase = tg_argv[0]) then perform pg_sleep(30); end if;
      return null;
    end $$;
  create trigger crawl_writing after insert on knowledge_chunks
    for each statement execute function crawl_wait('writing');
  create trigger crawl_finishing after update on knowledge_sources
    for each row when (new.indexing_status = 'completed') execute function crawl_wait('finishing');`;

export async function buildGates(laboratory: Laboratory): Promise<void> {
  await laboratory.rows(gates, []);
}

/** Milliseconds from the end of a response until the worker is extracting the text of its page. */
const untilExtraction = 40;
/** Enough text to keep the extractor busy for half a second. */
const longText =
  'The harbour lies behind the old lighthouse, and ferries leave it at every full hour. '.repeat(20_000);

const sleeping = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

/**
 * Resolves once the worker is in the given phase with the page at `path`. The phase "finishing" ignores it.
 * Call the returned `passed` after the worker is dead.
 */
export async function reach(
  phase: Phase,
  { site, laboratory, sourceId, path }: Reaching,
): Promise<{ passed: () => Promise<void> }> {
  const html = site.pages.get(path);
  if (typeof html !== 'string') throw new Error(`${path} is not a page`);
  const restore = async () => void site.pages.set(path, html);
  const answered = (serve: 'never' | 'once', content = html) =>
    new Promise<void>((resolve) => {
      site.pages.set(path, (_, response) => {
        if (serve === 'never') resolve();
        else
          void once(response.setHeader('content-type', 'text/html').end(content), 'finish').then(() =>
            resolve(),
          );
      });
    });
  switch (phase) {
    case 'fetching':
      await answered('never');
      return { passed: restore };
    case 'extracting':
      await answered('once', html.replace('</main>', `<p>${longText}</p></main>`));
      await delay(untilExtraction);
      await expectStatus(laboratory, sourceId, site.base + path, 'pending');
      return { passed: restore };
    case 'between pages': {
      await answered('once');
      const count = site.asked.length;
      while ((await statusOf(laboratory, sourceId, site.base + path)) !== 'done') await delay(2);
      if (site.asked.length > count) throw new Error('the worker already requested the next page');
      return { passed: restore };
    }
    case 'writing':
      await answered('once');
      return gated(laboratory, phase, restore);
    case 'finishing':
      return gated(laboratory, phase, restore);
  }
}

export interface Reaching {
  readonly site: LocalSite;
  readonly laboratory: Laboratory;
  readonly sourceId: string;
  /** The path of a page that the worker has not read yet. */
  readonly path: string;
}

/**
 * Waits until a gate holds a statement. `passed` opens the gate and ends the session of the dead worker,
 * which Postgres would otherwise end a little later.
 */
async function gated(laboratory: Laboratory, phase: Phase, restore: () => Promise<void>) {
  await laboratory.rows('insert into crawl_gate values (:phase)', { phase });
  for (;;) {
    const [found] = await laboratory.rows<{ pid: number }>(sleeping, {});
    if (found) {
      return {
        async passed() {
          await laboratory.rows('delete from crawl_gate', {});
          await laboratory.rows('select pg_terminate_backend(:pid)', { pid: found.pid });
          await restore();
        },
      };
    }
    await delay(5);
  }
}

async function statusOf(laboratory: Laboratory, sourceId: string, url: string): Promise<string | undefined> {
  const [row] = await laboratory.rows<{ status: string }>(
    'select status from knowledge_pages where source_id = :sourceId and url = :url',
    { sourceId, url },
  );
  return row?.status;
}

async function expectStatus(
  laboratory: Laboratory,
  sourceId: string,
  url: string,
  status: string,
): Promise<void> {
  const found = await statusOf(laboratory, sourceId, url);
  if (found !== status) throw new Error(`${url} is ${found}, not ${status}`);
}
