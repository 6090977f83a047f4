import type { PageResult, Pending, Run } from '../store/knowledge-runs.ts';
import { canonicalUrl } from './canonical-url.ts';
import type { Visit } from './crawl.ts';
import type { IndexingParts } from './indexing.ts';
import { readRobots } from './robots.ts';
import { type Site, siteOf } from './site.ts';

/** What a page of a website may be. */
const readable: readonly string[] = [
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
];

/** What has become of a page, and of the one that it led to. */
export interface ReadPage {
  readonly results: readonly PageResult[];
  readonly links: readonly string[];
  /** The site of the start page, where that led to another one. */
  readonly moved?: Site | undefined;
}

const forbidden = 'robots.txt asks not to read it.';

/**
 * Reads a page of a site.
 * @throws FetchFailure, ExtractionFailure
 */
export async function readPage(
  run: Run,
  { url, depth }: Pending,
  visit: Visit,
  { wall, extractor }: IndexingParts,
  signal: AbortSignal,
): Promise<ReadPage> {
  const skipped = (error: string): PageResult => ({ url, depth, status: 'skipped', error, chunks: [] });
  if (!visit.robots.allows(url)) return { results: [skipped(forbidden)], links: [] };
  const job = { id: run.sourceId, projectId: run.projectId };
  const isStart = depth === 0;
  const fetched = await wall.fetch(url, {
    signal,
    accept: readable,
    gap: visit.robots.delay,
    job,
    // Only the start page may lead to another host: people write example.com for www.example.com.
    ...(!isStart && { follow: (to: string) => visit.site.accepts(to) !== undefined }),
  });
  const moved = isStart && visit.site.accepts(fetched.url) !== fetched.url ? siteOf(fetched.url) : undefined;
  const site = moved ?? visit.site;
  const at = site.accepts(fetched.url) ?? url;
  const results: PageResult[] = at === url ? [] : [skipped(`It leads to ${at}.`)];
  if (at !== url && (await isTaken(run, at))) return { results, links: [] };
  if (moved && !(await readRobots(wall, at, { signal, job })).allows(at))
    return { results: [skipped(forbidden)], links: [] };
  const { bytes, contentType } = fetched;
  const extracted = await extractor.extract({ bytes, contentType, url: at }, signal);
  const links = extracted.nofollow ? [] : pagesOf(site, extracted.links);
  const page = { url: at, depth };
  if (extracted.noindex) {
    results.push({ ...page, status: 'skipped', error: 'It asks not to be indexed.', chunks: [] });
    return { results, links, moved };
  }
  const original = extracted.canonical && canonicalUrl(extracted.canonical, at);
  const canonical = original ? site.accepts(original) : undefined;
  if (canonical !== undefined && canonical !== at && !(await isLeftOut(run, canonical))) {
    results.push({ ...page, status: 'skipped', error: `It is the same as ${canonical}.`, chunks: [] });
    return { results, links: [canonical, ...links], moved };
  }
  const { title, chunks } = extracted;
  results.push({ ...page, status: 'done', title, chunks });
  return { results, links, moved };
}

/** The canonical addresses of the site's pages among links, each once. */
function pagesOf(site: Site, links: readonly string[]): string[] {
  return [...new Set(links.map((link) => site.accepts(link)).filter((link) => link !== undefined))];
}

async function isTaken(run: Run, url: string): Promise<boolean> {
  const status = await run.statusOf(url);
  return status !== undefined && status !== 'pending';
}

/** Pages that call each other the original would all be left out. */
async function isLeftOut(run: Run, url: string): Promise<boolean> {
  const status = await run.statusOf(url);
  return status === 'skipped' || status === 'failed';
}
