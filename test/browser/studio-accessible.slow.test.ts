import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { type FilledProject, openFilledProject } from './filled-project.ts';
import { expectAccessible, expectFits, openPage, untilRead } from './studio-page.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody opens the pages (apt-get install chromium)');

describe.skipIf(executable === undefined)('the pages of the Studio', () => {
  let world: World;
  let project: FilledProject;
  let browser: Browser;
  beforeAll(async () => {
    world = await openWorld({ pages: {} });
    browser = await openChromium(executable ?? '', []);
    project = await openFilledProject(world);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('are accessible in the %s theme and fit into %s pixels', async (colorScheme, width) => {
    const { key, flowId, knowledgeBaseId } = project;
    const viewport = { width, height: 800 };
    const tab = await openPage(browser, world.base, '/overview', {
      key,
      bypassCSP: true,
      colorScheme,
      viewport,
    });
    const { page } = tab;
    for (const path of [
      '/overview',
      '/flows',
      `/flows/${flowId}`,
      `/flows/${flowId}/changes`,
      `/flows/${flowId}/versions`,
      '/knowledge',
      `/knowledge/${knowledgeBaseId}`,
      '/numbers',
      '/web-agents',
      '/usage',
      '/history',
      '/keys',
      '/trash',
    ]) {
      await page.goto(`${world.base}/studio${path}`);
      await untilRead(page);
      await expectAccessible(page);
      await expectFits(page);
    }
    tab.expectNoErrors();
    await tab.close();
  });
});
