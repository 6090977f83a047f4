// Measures one page with Lighthouse and writes its report, as JSON, to a file. It is a process of its own, so that it does not
// slow down the server that it measures. A key signs the tab in to the Studio: Lighthouse itself cannot enter one.
//
// Usage: node test/peers/lighthouse-page.ts <JSON of a PageVisit>
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is measured, and how. */
export interface PageVisit {
  readonly url: string;
  readonly device: 'mobile' | 'desktop';
  readonly categories: readonly string[];
  /** The Studio's key in the tab; undefined to measure the page signed out. */
  readonly key?: string | undefined;
  /** Where Lighthouse is installed. */
  readonly installed: string;
  readonly chromium: string;
  readonly report: string;
}

/** What this script uses of puppeteer-core, which Lighthouse brings. */
interface Puppeteer {
  launch(options: object): Promise<{
    newPage(): Promise<{ evaluateOnNewDocument(script: string): Promise<unknown> }>;
    close(): Promise<void>;
  }>;
}

interface Lighthouse {
  readonly default: (
    url: string,
    flags: object,
    config: object | undefined,
    page: object,
  ) => Promise<{ readonly report: string | readonly string[] } | undefined>;
  readonly desktopConfig: object;
}

const visit = JSON.parse(process.argv[2] ?? '') as PageVisit;
const installed = createRequire(path.join(visit.installed, 'package.json'));
const load = async <Module>(name: string) =>
  (await import(pathToFileURL(installed.resolve(name)).href)) as Module;
const { default: puppeteer } = await load<{ readonly default: Puppeteer }>('puppeteer-core');
const lighthouse = await load<Lighthouse>('lighthouse');

const browser = await puppeteer.launch({
  executablePath: visit.chromium,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage();
  if (visit.key !== undefined)
    await page.evaluateOnNewDocument(
      `if (location.protocol !== 'about:') sessionStorage.setItem('parley.key', ${JSON.stringify(visit.key)})`,
    );
  const flags = {
    output: 'json',
    logLevel: 'error',
    onlyCategories: visit.categories,
    disableStorageReset: true,
  };
  const config = visit.device === 'desktop' ? lighthouse.desktopConfig : undefined;
  const result = await lighthouse.default(visit.url, flags, config, page);
  if (!result) throw new Error(`Lighthouse has no result for ${visit.url}.`);
  writeFileSync(visit.report, [result.report].flat().join(''));
} finally {
  await browser.close();
}
