import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
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
  await page.goto(base);
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

/** Signs in and waits for the conversations. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Secret key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor();
}

/** Expects no violation of WCAG 2.2 A and AA, and of axe's best practices, in what the page shows now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`);
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
  expect(found, page.url()).toStrictEqual([]);
}
