import type { IndexingOutcome, IndexingTerms } from '../store/indexing-queue.ts';
import type { Pending, Run, RunOrigin } from '../store/knowledge-runs.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { FetchFailure } from './failure.ts';
import { noText } from './file.ts';
import type { IndexingParts } from './indexing.ts';
import { readPage } from './page.ts';
import { type RobotsRules, readRobots } from './robots.ts';
import { type Site, siteOf } from './site.ts';

/** A site as the pages of a run are read from it. */
export interface Visit {
  readonly site: Site;
  readonly robots: RobotsRules;
}

/** So many pages are known for one that is to be indexed: some of them are duplicates, or gone. */
const knownForOne = 4;

/** Indexes a website, page by page, from where its run stands. */
export async function crawl(
  run: Run,
  origin: Extract<RunOrigin, { type: 'website' }>,
  parts: IndexingParts,
  terms: IndexingTerms,
): Promise<IndexingOutcome> {
  const first = siteOf(origin.url);
  if (!first) return end(run, 'The address is not a valid URL.', true);
  await run.begin(first.start);
  let visit: Visit;
  try {
    visit = await visitOf(await siteOfRun(run, first), run, parts, terms);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return failed(run, error.message, error.final, terms);
  }
  for (let page = await run.next(); page; page = await run.next()) {
    const { done, failed: gone, skipped, pending } = await run.tally();
    if (done >= origin.maxPages) break;
    const room = Math.max(0, origin.maxPages * knownForOne - done - gone - skipped - pending);
    const moved = await readOne(run, page, visit, room, parts, terms);
    if (moved) visit = await visitOf(moved, run, parts, terms);
    if (terms.isOver()) return { state: 'more' };
  }
  return finish(run, origin.maxPages, terms);
}

/** The site that the start page has led to, where that is another one. */
async function siteOfRun(run: Run, first: Site): Promise<Site> {
  const moved = (await run.starts()).find((url) => first.accepts(url) !== url);
  return (moved === undefined ? undefined : siteOf(moved)) ?? first;
}

async function visitOf(
  site: Site,
  run: Run,
  { wall }: IndexingParts,
  { signal }: IndexingTerms,
): Promise<Visit> {
  const job = { id: run.sourceId, projectId: run.projectId };
  return { site, robots: await readRobots(wall, site.start, { signal, job }) };
}

/** @returns the site that the start page led to, where that is another one */
async function readOne(
  run: Run,
  page: Pending,
  visit: Visit,
  room: number,
  parts: IndexingParts,
  { signal, isLast }: IndexingTerms,
): Promise<Site | undefined> {
  try {
    const { results, links, moved } = await readPage(run, page, visit, parts, signal);
    await run.settle(results, { links, depth: page.depth + 1, room });
    return moved;
  } catch (error) {
    if (!(error instanceof FetchFailure) && !(error instanceof ExtractionFailure)) throw error;
    const final = error instanceof ExtractionFailure || error.final;
    if (!final && !isLast) await run.putOff(page.url, error.message);
    // What was found of a page that may come back stays.
    else
      await run.settle([{ ...page, status: 'failed', error: error.message, chunks: final ? [] : undefined }]);
    return undefined;
  }
}

async function finish(run: Run, maxPages: number, terms: IndexingTerms): Promise<IndexingOutcome> {
  const { done, putOff, failed: gone } = await run.tally();
  if (putOff > 0 && done < maxPages && !terms.isLast) {
    const error = (await run.firstError()) ?? '';
    await run.resume();
    return later(run, error);
  }
  if (done === 0) {
    const error = (await run.firstError()) ?? noText;
    // Where nothing but the last attempt came to an end, all may come back.
    return end(run, error, gone === 0 || !terms.isLast);
  }
  if (!(await run.hasChunks())) return end(run, noText, true);
  await run.complete();
  return { state: 'done' };
}

/** The site as a whole could not be read. */
async function failed(
  run: Run,
  error: string,
  final: boolean,
  { isLast }: IndexingTerms,
): Promise<IndexingOutcome> {
  return final || isLast ? end(run, error, final) : later(run, error);
}

async function later(run: Run, error: string): Promise<IndexingOutcome> {
  await run.wait(error);
  return { state: 'later', error };
}

async function end(run: Run, error: string, final: boolean): Promise<IndexingOutcome> {
  await run.fail(error, { final });
  return { state: 'failed', error };
}
