import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A tab that shows the Studio, and what went wrong in it. */
export interface StudioTab {
  readonly page: Page;
  /** Errors of the console and of scripts, and violations of the Content-Security-Policy, which Chromium writes there. */
  readonly errors: string[];
  /** Expects no error so far, other than responses with these statuses, which the test has caused. */
  expectNoErrors(statuses?: readonly number[]): void;
  close(): Promise<void>;
}

/** Opens a tab of its own, without the storage of others. */
export async function openStudio(
  browser: Browser,
  base: string,
  options: BrowserContextOptions = {},
): Promise<StudioTab> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  // The first tab of a world waits until the Studio is built.
  await page.goto(base, { timeout: 60_000 });
  return {
    page,
    errors,
    expectNoErrors(statuses = []) {
      const expected = statuses.map((status) => `status of ${status} `);
      expect(errors.filter((text) => !expected.some((part) => text.includes(part)))).toStrictEqual([]);
    },
    close: () => context.close(),
  };
}

/** How a tab looks, and the key that it is signed in with. */
export interface Visit extends BrowserContextOptions {
  readonly key?: string;
}

/** Opens a page with a key, without the sign-in, and waits for its title. */
export async function openPage(
  browser: Browser,
  base: string,
  path: string,
  { key, ...options }: Visit,
): Promise<StudioTab> {
  const tab = await openStudio(browser, 'about:blank', options);
  await tab.page.addInitScript(`sessionStorage.setItem('parley.key', ${JSON.stringify(key)})`);
  // The first tab of a world waits until the Studio is built.
  await tab.page.goto(`${base}/studio${path}`, { timeout: 60_000 });
  await tab.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  return tab;
}

/** Signs in and waits for the overview. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Secret key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

/** Expects no violation of WCAG 2.2 A and AA, and of axe's best practices, in what the page shows now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`);
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
  expect(found, page.url()).toStrictEqual([]);
}

/** Waits until a page has read what it shows. */
export async function untilRead(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('status').count(), { timeout: 15_000 }).toBe(0);
}

/** Expects that nothing leads beyond the side of the window. */
export async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, page.url()).toBe(0);
}

/** Expects that a person sees all of an element without scrolling sideways. */
export async function expectInSight(element: Locator): Promise<void> {
  const box = await element.boundingBox();
  const width = element.page().viewportSize()?.width ?? 0;
  expect(box).not.toBeNull();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
}
