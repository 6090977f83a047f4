import type { Extractor } from '../extraction/extractor.ts';
import { canonicalUrl } from '../fetch/canonical-url.ts';
import type { Wall } from '../fetch/wall.ts';
import type { PageResult, Pending, Run } from '../runs.ts';
import { type RobotsRules, readRobots } from './robots.ts';
import { type Site, siteOf } from './site.ts';

/** What a crawl fetches and reads pages with. */
export interface CrawlParts {
  readonly wall: Wall;
  readonly extractor: Extractor;
}

/** A site and its rules, as the pages of a run are read from it. */
export interface Visit {
  readonly site: Site;
  readonly robots: RobotsRules;
}

/** The media types that a page of a website may have. */
const readable: readonly string[] = [
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
];

/** The outcome of a page, and of the page that it redirected to. */
export interface CrawledPage {
  readonly results: readonly PageResult[];
  /** Canonical URLs of the site. */
  readonly links: readonly string[];
  /** The new site, if the start page redirected to another one. */
  readonly moved?: Site | undefined;
}

const forbidden = 'robots.txt disallows this page.';

/**
 * Fetches and reads a page of a site.
 * @throws FetchFailure, ExtractionFailure
 */
export async function crawlPage(
  run: Run,
  { url, depth }: Pending,
  visit: Visit,
  { wall, extractor }: CrawlParts,
  signal: AbortSignal,
): Promise<CrawledPage> {
  const skipped = (error: string): PageResult => ({ url, depth, status: 'skipped', error, chunks: [] });
  if (!visit.robots.allows(url)) return { results: [skipped(forbidden)], links: [] };
  const job = { id: run.sourceId, projectId: run.projectId };
  const isStart = depth === 0;
  const fetched = await wall.fetch(url, {
    signal,
    accept: readable,
    gap: visit.robots.delay,
    job,
    // Only the start page may redirect to another host: people write example.com for www.example.com.
    ...(!isStart && { follow: (to: string) => visit.site.accepts(to) !== undefined }),
  });
  const moved = isStart && visit.site.accepts(fetched.url) !== fetched.url ? siteOf(fetched.url) : undefined;
  const site = moved ?? visit.site;
  const at = site.accepts(fetched.url) ?? url;
  const results: PageResult[] = at === url ? [] : [skipped(`It redirects to ${at}.`)];
  if (at !== url && (await isRead(run, at))) return { results, links: [] };
  if (moved && !(await readRobots(wall, at, { signal, job })).allows(at))
    return { results: [skipped(forbidden)], links: [] };
  const { bytes, contentType } = fetched;
  const extracted = await extractor.extract({ bytes, contentType, url: at }, signal);
  const links = extracted.nofollow ? [] : pagesOf(site, extracted.links);
  const page = { url: at, depth };
  if (extracted.noindex) {
    results.push({ ...page, status: 'skipped', error: 'The page asks not to be indexed.', chunks: [] });
    return { results, links, moved };
  }
  const original = extracted.canonical && canonicalUrl(extracted.canonical, at);
  const canonical = original ? site.accepts(original) : undefined;
  if (canonical !== undefined && canonical !== at && !(await isLeftOut(run, canonical))) {
    results.push({ ...page, status: 'skipped', error: `It is a copy of ${canonical}.`, chunks: [] });
    return { results, links: [canonical, ...links], moved };
  }
  const { title, chunks } = extracted;
  results.push({ ...page, status: 'done', title, chunks });
  return { results, links, moved };
}

/** The canonical URLs of those links that lead to pages of the site, each once. */
function pagesOf(site: Site, links: readonly string[]): string[] {
  return [...new Set(links.map((link) => site.accepts(link)).filter((link) => link !== undefined))];
}

async function isRead(run: Run, url: string): Promise<boolean> {
  const status = await run.statusOf(url);
  return status !== undefined && status !== 'pending';
}

/** Without this check, two pages that name each other as canonical would both be left out. */
async function isLeftOut(run: Run, url: string): Promise<boolean> {
  const status = await run.statusOf(url);
  return status === 'skipped' || status === 'failed';
}
