import { FetchFailure, invalidUrl } from '../../../platform/outbound/fetch-failure.ts';
import type { IndexingOutcome, IndexingTerms } from '../../../store/indexing-queue.ts';
import { ExtractionFailure, noText } from '../extraction/extraction-failure.ts';
import type { Pending, Run, RunOrigin } from '../runs.ts';
import { type CrawlParts, crawlPage, type Visit } from './crawl-page.ts';
import { readRobots } from './robots.ts';
import { type Site, siteOf } from './site.ts';

/** How many pages a run may know for each page that it may index: some are duplicates, or gone. */
const knownPerIndexed = 4;

/** Indexes a website page by page, from where its run stands. */
export async function crawl(
  run: Run,
  origin: Extract<RunOrigin, { type: 'website' }>,
  parts: CrawlParts,
  terms: IndexingTerms,
): Promise<IndexingOutcome> {
  const first = siteOf(origin.url);
  if (!first) return fail(run, invalidUrl, true);
  await run.begin(first.start);
  let visit: Visit;
  try {
    visit = await visitOf(await siteOfRun(run, first), run, parts, terms);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return error.final || terms.isLast ? fail(run, error.message, error.final) : tryLater(run, error.message);
  }
  for (let page = await run.next(); page; page = await run.next()) {
    const { done, failed, skipped, pending } = await run.tally();
    if (done >= origin.maxPages) break;
    const room = Math.max(0, origin.maxPages * knownPerIndexed - done - failed - skipped - pending);
    const moved = await readOne(run, page, visit, room, parts, terms);
    if (moved) visit = await visitOf(moved, run, parts, terms);
    if (terms.isOver()) return { state: 'more' };
  }
  return finish(run, origin.maxPages, terms);
}

/** The site of the run: the first one, or another one if the start page has redirected there. */
async function siteOfRun(run: Run, first: Site): Promise<Site> {
  const moved = (await run.starts()).find((url) => first.accepts(url) !== url);
  return (moved === undefined ? undefined : siteOf(moved)) ?? first;
}

async function visitOf(
  site: Site,
  run: Run,
  { wall }: CrawlParts,
  { signal }: IndexingTerms,
): Promise<Visit> {
  const job = { id: run.sourceId, projectId: run.projectId };
  return { site, robots: await readRobots(wall, site.start, { signal, job }) };
}

/** @returns the new site, if the start page redirected to another one */
async function readOne(
  run: Run,
  page: Pending,
  visit: Visit,
  room: number,
  parts: CrawlParts,
  { signal, isLast }: IndexingTerms,
): Promise<Site | undefined> {
  try {
    const { results, links, moved } = await crawlPage(run, page, visit, parts, signal);
    await run.settle(results, { links, depth: page.depth + 1, room });
    return moved;
  } catch (error) {
    if (!(error instanceof FetchFailure) && !(error instanceof ExtractionFailure)) throw error;
    const final = error instanceof ExtractionFailure || error.final;
    if (!final && !isLast) await run.putOff(page.url, error.message);
    // A page that may recover keeps the chunks of the run before.
    else
      await run.settle([{ ...page, status: 'failed', error: error.message, chunks: final ? [] : undefined }]);
    return undefined;
  }
}

async function finish(run: Run, maxPages: number, terms: IndexingTerms): Promise<IndexingOutcome> {
  const { done, putOff, failed } = await run.tally();
  if (putOff > 0 && done < maxPages && !terms.isLast) {
    const error = (await run.firstError()) ?? '';
    await run.resume();
    return tryLater(run, error);
  }
  if (done === 0) {
    const error = (await run.firstError()) ?? noText;
    // Not final if pages failed in the last attempt: they may recover.
    return fail(run, error, failed === 0 || !terms.isLast);
  }
  if (!(await run.hasChunks())) return fail(run, noText, true);
  await run.complete();
  return { state: 'done' };
}

async function tryLater(run: Run, error: string): Promise<IndexingOutcome> {
  await run.wait(error);
  return { state: 'later', error };
}

async function fail(run: Run, error: string, final: boolean): Promise<IndexingOutcome> {
  await run.fail(error, { final });
  return { state: 'failed', error };
}
