import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openChromium } from './chromium.ts';

/** The origin of the website's pages. */
export const websiteOrigin = 'http://shop.example';
/** Another origin of the same pages. */
export const otherOrigin = 'http://evil.example';

/** The body of a conversation that goes live from a template. */
export const receptionist = {
  templateKey: 'receptionist',
  templateFields: {
    businessName: 'Harbour & Lane',
    assistantName: 'Robin',
    businessFacts: 'Open Monday to Friday, 9 am to 5 pm.',
    transferNumber: '+12025550143',
    notifyNumber: '+12025550144',
  },
};

/** A website with the widget on every page, and the browser of its visitors. */
export interface Website {
  /** Opens a page for a new visitor. */
  visit(visit?: Visit): Promise<Page>;
  close(): Promise<void>;
}

export interface Visit {
  readonly origin?: string;
  /** Attributes of the widget's script element in place of the website's; `lang` and `dir` are those of the page. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly browser?: BrowserContextOptions;
}

/** What a page has written to the console, without the lines of Chromium about failed requests. */
export const consoleOf = new WeakMap<Page, string[]>();

/**
 * Serves the pages of a website under a policy that allows nothing but the widget, and no markup from scripts.
 * @param server the address of Parley
 * @param more other arguments of Chromium
 */
export async function openWebsite(
  executable: string,
  server: string,
  attributes: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Promise<Website> {
  const policy = [
    "default-src 'none'",
    `script-src ${server}`,
    `connect-src ${server}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const pages = http.createServer((request, response) => {
    const given = new URL(request.url ?? '/', websiteOrigin).searchParams;
    const { lang = 'en', dir = 'ltr', ...data } = { ...attributes, ...Object.fromEntries(given) };
    const written = Object.entries(data).map(
      ([name, value]) => `${name}="${value.replaceAll('"', '&quot;')}"`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', policy);
    response.end(`<!doctype html><html lang="${lang}" dir="${dir}"><title>A website</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <main><h1>A website</h1><button id="own">Help</button> <a href="/next">Next page</a></main>
      <script async src="${server}/widget.js" ${written.join(' ')}></script>`);
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const { port } = pages.address() as AddressInfo;
  const browser: Browser = await openChromium(
    executable,
    [websiteOrigin, otherOrigin].map((origin) => `${new URL(origin).hostname}:80 127.0.0.1:${port}`),
    more,
  );
  return {
    async visit({ origin = websiteOrigin, attributes: own = {}, browser: options = {} } = {}) {
      const context: BrowserContext = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const lines: string[] = [];
      consoleOf.set(page, lines);
      page.on('pageerror', (error) => lines.push(error.message));
      page.on('console', (message) => {
        if (!message.text().startsWith('Failed to load resource')) lines.push(message.text());
      });
      await page.goto(`${origin}/?${new URLSearchParams(own)}`);
      return page;
    },
    async close() {
      await browser.close();
      pages.close();
    },
  };
}

/** What the log of the widget shows, in order. */
export function linesOf(page: Page): Promise<string[]> {
  return page.locator('.bubble p').allTextContents();
}

/** Opens the dialog as a visitor does, and waits for the end of the agent's first turn. */
export async function openChat(page: Page): Promise<void> {
  await page.locator('.launcher').click();
  await quiet(page);
}

/** Writes a message, and waits for the end of the agent's turn. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('textarea').fill(text);
  await page.keyboard.press('Enter');
  await quiet(page);
}

/** Waits until the agent's turn is complete. */
export async function quiet(page: Page): Promise<void> {
  await page.locator('.bubble.agent').first().waitFor();
  await page.locator('.log[aria-busy=false]').waitFor();
}
